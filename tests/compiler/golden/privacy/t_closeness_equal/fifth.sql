SELECT
  v.class,
  SUM(GREATEST(v.n / v.mass - COALESCE(v.source_n / v.source_mass, 0), 0)) FILTER(WHERE
    NOT v.n IS NULL) > 0.2 + 1e-9 AS violating,
  SUM(GREATEST(v.n / v.mass - COALESCE(v.source_n / v.source_mass, 0), 0)) FILTER(WHERE
    NOT v.n IS NULL) AS reached
FROM (
  SELECT
    a.class,
    a.n,
    SUM(a.n) OVER (PARTITION BY a.class) AS mass,
    b.n AS source_n,
    b.mass AS source_mass
  FROM values_0 AS a
  LEFT JOIN source_0 AS b
    ON a.value IS NOT DISTINCT FROM b.value
) AS v
GROUP BY
  v.class
