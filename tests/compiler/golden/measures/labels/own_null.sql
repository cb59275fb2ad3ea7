/* kanon: what labels of zip lose */
CREATE TABLE "kanon_labels_1" AS
WITH levels AS (
  SELECT
    UNNEST(CAST($levels AS BIGINT[])) AS level,
    UNNEST(CAST($mask_0 AS BIGINT[])) AS mask_0,
    UNNEST(CAST($mask_1 AS BIGINT[])) AS mask_1
), grounds AS (
  SELECT
    c.code_0,
    c.code_1,
    FALSE AS stray_null,
    FALSE AS placed
  FROM "kanon_codes_zip" AS c
), found AS (
  SELECT
    v.level,
    c.code_0 & v.mask_0 AS code_0,
    c.code_1 & v.mask_1 AS code_1,
    COUNT(*) FILTER(WHERE
      NOT c.stray_null AND NOT c.placed) AS leaves,
    COUNT(*) FILTER(WHERE
      c.stray_null) AS nulls,
    COUNT(*) FILTER(WHERE
      c.placed) AS placed
  FROM grounds AS c
  CROSS JOIN levels AS v
  GROUP BY
    v.level,
    c.code_0 & v.mask_0,
    c.code_1 & v.mask_1
), entries AS (
  SELECT
    f.key_0 & CAST(48 AS BIGINT) AS code_0,
    f.key_1 & CAST(7 AS BIGINT) AS code_1,
    CAST(SUM(f.n) AS BIGINT) AS n
  FROM "kanon_frequency" AS f
  GROUP BY
    f.key_0 & CAST(48 AS BIGINT),
    f.key_1 & CAST(7 AS BIGINT)
), counted AS (
  SELECT
    v.level,
    e.code_0 & v.mask_0 AS code_0,
    e.code_1 & v.mask_1 AS code_1,
    CAST(COALESCE(SUM(e.n), 0) AS BIGINT) AS n
  FROM entries AS e
  CROSS JOIN levels AS v
  GROUP BY
    v.level,
    e.code_0 & v.mask_0,
    e.code_1 & v.mask_1
), labels AS (
  SELECT
    b.level,
    b.code_0,
    b.code_1,
    b.leaves,
    b.nulls,
    b.placed,
    COALESCE(n.n, 0) AS row_count,
    COALESCE(n.n, 0) AS source_rows,
    CAST(2 AS BIGINT) AS height,
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
    ON b.level = n.level AND b.code_0 = n.code_0 AND b.code_1 = n.code_1
)
SELECT
  l.level,
  l.code_0,
  l.code_1,
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
-- $levels = [0, 1, 2]
-- $mask_0 = [48, 48, 0]
-- $mask_1 = [7, 0, 0]
-- $all_rows = 100
