/* kanon: what each value of region may lose */
CREATE TEMPORARY TABLE "kanon_share_limits_region" AS
SELECT
  d.value,
  CAST(a.allowed - d.n + COALESCE(e.n, 0) AS BIGINT) AS spare
FROM "kanon_share_values_region" AS d
JOIN (
  SELECT
    UNNEST(CAST($sizes AS BIGINT[])) AS n,
    UNNEST(CAST($allowed AS BIGINT[])) AS allowed
) AS a
  ON d.n = a.n
LEFT JOIN (
  SELECT
    value_0,
    SUM(n) AS n
  FROM "kanon_share_entries_region"
  GROUP BY
    value_0
) AS e
  ON d.value = e.value_0
-- $sizes = []
-- $allowed = []
