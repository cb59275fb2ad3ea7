SELECT
  v.class,
  SUM(v.source_n / v.source_mass) FILTER(WHERE
    NOT v.n IS NULL) < 0.8 - 1e-6 AS violating
FROM (
  SELECT
    a.*,
    b.n AS source_n,
    b.mass AS source_mass,
    b.total AS source_total
  FROM values_0 AS a
  LEFT JOIN source_0 AS b
    ON a.value IS NOT DISTINCT FROM b.value
) AS v
GROUP BY
  v.class
