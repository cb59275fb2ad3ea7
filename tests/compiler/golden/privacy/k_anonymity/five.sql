SELECT
  v.class,
  COUNT(*) < 5 AS violating
FROM values_0 AS v
GROUP BY
  v.class
