SELECT
  v.class,
  LN(SUM(v.n)) - SUM(v.n * LN(v.n)) / SUM(v.n) < LN(2.5) - 1e-9 AS violating,
  LN(SUM(v.n)) - SUM(v.n * LN(v.n)) / SUM(v.n) AS reached
FROM values_0 AS v
GROUP BY
  v.class
