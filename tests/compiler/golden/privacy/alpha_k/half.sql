SELECT
  v.class,
  MAX(v.n) / SUM(v.n) > 0.5 + 1e-9 AS violating,
  MAX(v.n) / SUM(v.n) AS reached
FROM values_0 AS v
GROUP BY
  v.class
