SELECT
  v.class,
  SUM(GREATEST(v.n / v.mass - COALESCE(v.source_n / v.source_mass, 0), 0)) FILTER(WHERE
    NOT v.n IS NULL) / MAX(v.levels) > 0.2 + 1e-9 AS violating,
  SUM(GREATEST(v.n / v.mass - COALESCE(v.source_n / v.source_mass, 0), 0)) FILTER(WHERE
    NOT v.n IS NULL) / MAX(v.levels) AS reached
FROM (
  SELECT
    a.class,
    SUM(a.n) AS n,
    SUM(a.n) AS mass,
    1 AS source_n,
    1 AS source_mass,
    1 AS levels
  FROM values_0 AS a
  GROUP BY
    a.class
) AS v
GROUP BY
  v.class
