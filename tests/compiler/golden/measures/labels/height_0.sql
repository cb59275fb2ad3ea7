/* kanon: what labels of country lose */
CREATE TABLE "kanon_labels_2" AS
WITH levels AS (
  SELECT
    UNNEST(CAST($levels AS BIGINT[])) AS level
), grounds AS (
  SELECT
    c.ground IS NULL AS stray_null,
    FALSE AS placed
  FROM "kanon_codes_country" AS c
), found AS (
  SELECT
    v.level,
    COUNT(*) FILTER(WHERE
      NOT c.stray_null AND NOT c.placed) AS leaves,
    COUNT(*) FILTER(WHERE
      c.stray_null) AS nulls,
    COUNT(*) FILTER(WHERE
      c.placed) AS placed
  FROM grounds AS c
  CROSS JOIN levels AS v
  GROUP BY
    v.level
), entries AS (
  SELECT
    CAST(SUM(f.n) AS BIGINT) AS n
  FROM "kanon_frequency" AS f
), counted AS (
  SELECT
    v.level,
    CAST(COALESCE(SUM(e.n), 0) AS BIGINT) AS n
  FROM entries AS e
  CROSS JOIN levels AS v
  GROUP BY
    v.level
), labels AS (
  SELECT
    b.level,
    b.leaves,
    b.nulls,
    b.placed,
    COALESCE(n.n, 0) AS row_count,
    COALESCE(n.n, 0) AS source_rows,
    CAST(0 AS BIGINT) AS height,
    (
      SELECT
        COUNT(*)
      FROM grounds AS c
      WHERE
        NOT c.stray_null AND NOT c.placed
    ) AS all_leaves,
    CAST($all_rows AS BIGINT) AS all_rows
  FROM found AS b
  LEFT JOIN counted AS n
    ON b.level = n.level
)
SELECT
  l.level,
  l.row_count,
  CASE
    WHEN l.leaves > 0
    THEN l.leaves - 1
    WHEN l.placed > 0
    THEN GREATEST(l.all_leaves - 1, 0)
    ELSE CASE WHEN l.level = l.height THEN GREATEST(l.all_leaves - 1, 1) ELSE 0 END
  END AS loss,
  CASE
    WHEN l.nulls > 0 AND l.leaves + l.placed > 0
    THEN CASE WHEN l.level = l.height THEN GREATEST(l.all_leaves - 1, 1) ELSE 0 END
  END AS null_loss,
  CASE WHEN l.placed > 0 AND l.leaves > 0 THEN GREATEST(l.all_leaves - 1, 0) END AS placed_loss,
  GREATEST(l.all_leaves - 1, 1) AS most
FROM labels AS l
-- $levels = [0]
-- $all_rows = 100
