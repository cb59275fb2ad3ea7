SELECT
  v.class,
  SUM(v.n) < 20 AS violating
FROM values_0 AS v
GROUP BY
  v.class
