SELECT
  v.class,
  COUNT(v.n) < 3 AS violating,
  COUNT(v.n) AS reached
FROM values_0 AS v
GROUP BY
  v.class
