SELECT
  v.class,
  CASE
    WHEN COUNT(v.source_n) = COUNT(v.n)
    THEN GREATEST(
      LN(MAX(v.n / v.source_n * v.source_total)) - LN(SUM(v.n)),
      LN(SUM(v.n)) - LN(MIN(v.n / v.source_n * v.source_total))
    )
  END >= 1.5 - 1e-9 AS violating,
  CASE
    WHEN COUNT(v.source_n) = COUNT(v.n)
    THEN GREATEST(
      LN(MAX(v.n / v.source_n * v.source_total)) - LN(SUM(v.n)),
      LN(SUM(v.n)) - LN(MIN(v.n / v.source_n * v.source_total))
    )
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
