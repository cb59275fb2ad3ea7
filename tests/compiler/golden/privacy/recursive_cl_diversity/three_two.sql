SELECT
  v.class,
  MAX(v.n) / SUM(v.n) FILTER(WHERE
    v.place >= 2) >= 3 * (
    1 - 1e-9
  ) AS violating,
  MAX(v.n) / SUM(v.n) FILTER(WHERE
    v.place >= 2) AS reached
FROM (
  SELECT
    a.class,
    a.n,
    ROW_NUMBER() OVER (PARTITION BY a.class ORDER BY COALESCE(a.n, 0) DESC) AS place
  FROM values_0 AS a
) AS v
GROUP BY
  v.class
