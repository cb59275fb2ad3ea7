SELECT
  v.class,
  COUNT(v.source_n) < COUNT(v.n)
  OR MAX(v.n / v.source_n * v.source_total / (
    1 - LN(v.source_n / v.source_total)
  )) / SUM(v.n) > 1 + 1e-9
  OR MAX(v.n / v.source_n * v.source_total) / SUM(v.n) - 1 > 2 + 1e-9 AS violating,
  CASE
    WHEN COUNT(v.source_n) < COUNT(v.n)
    THEN NULL
    WHEN MAX(v.n / v.source_n * v.source_total / (
      1 - LN(v.source_n / v.source_total)
    )) / SUM(v.n) > 1 + 1e-9
    THEN NULL
    ELSE GREATEST(MAX(v.n / v.source_n * v.source_total) / SUM(v.n) - 1, 0)
  END AS reached
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
