/* kanon: what labels lose */
CREATE TABLE "kanon_labels_0" AS
WITH levels AS (
  SELECT
    UNNEST(CAST($qis AS BIGINT[])) AS qi,
    UNNEST(CAST($levels AS BIGINT[])) AS level,
    UNNEST(CAST($heights AS BIGINT[])) AS height,
    UNNEST(CAST($mask_0 AS BIGINT[])) AS mask_0
), pieces AS (
  SELECT
    CAST(0 AS BIGINT) AS qi,
    c.code_0,
    c.ground IS NULL AS stray_null,
    FALSE AS placed,
    TRUE AS listed,
    CAST(0 AS BIGINT) AS row_count,
    CAST(0 AS BIGINT) AS source_rows
  FROM "kanon_codes_age" AS c
  UNION ALL
  SELECT
    CAST(1 AS BIGINT) AS qi,
    CAST(0 AS BIGINT) AS code_0,
    c.ground IS NULL AS stray_null,
    FALSE AS placed,
    TRUE AS listed,
    CAST(0 AS BIGINT) AS row_count,
    CAST(0 AS BIGINT) AS source_rows
  FROM "kanon_codes_country" AS c
  UNION ALL
  SELECT
    v.qi,
    f.key_0 & v.mask_0,
    FALSE,
    FALSE,
    FALSE,
    CAST(SUM(f.n) AS BIGINT),
    CAST(SUM(f.n) AS BIGINT)
  FROM "kanon_frequency" AS f
  CROSS JOIN levels AS v
  WHERE
    v.level = 0
  GROUP BY
    v.qi,
    f.key_0 & v.mask_0
), counted AS (
  SELECT
    v.qi,
    v.level,
    v.height,
    p.code_0 & v.mask_0 AS code_0,
    COUNT(*) FILTER(WHERE
      p.listed AND NOT p.stray_null AND NOT p.placed) AS leaves,
    COUNT(*) FILTER(WHERE
      p.stray_null) AS nulls,
    COUNT(*) FILTER(WHERE
      p.placed) AS placed,
    CAST(SUM(p.row_count) AS BIGINT) AS row_count,
    CAST(SUM(p.source_rows) AS BIGINT) AS source_rows
  FROM pieces AS p
  JOIN levels AS v
    ON p.qi = v.qi
  GROUP BY
    v.qi,
    v.level,
    v.height,
    p.code_0 & v.mask_0
), labels AS (
  SELECT
    *,
    MAX(leaves) OVER (PARTITION BY qi) AS all_leaves,
    CAST($all_rows AS BIGINT) AS all_rows
  FROM counted
)
SELECT
  l.qi,
  l.level,
  l.code_0,
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
-- $qis = [0, 0, 0, 0, 1]
-- $levels = [0, 1, 2, 3, 0]
-- $heights = [3, 3, 3, 3, 0]
-- $mask_0 = [15, 12, 8, 0, 0]
-- $all_rows = 100
