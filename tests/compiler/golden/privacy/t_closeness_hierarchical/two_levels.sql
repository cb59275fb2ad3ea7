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
    MAX(a.mass) AS mass,
    MAX(k.source_n) AS source_n,
    MAX(k.source_mass) AS source_mass,
    2 AS levels
  FROM (
    SELECT
      a.class,
      a.value,
      a.n,
      SUM(a.n) OVER (PARTITION BY a.class) AS mass
    FROM values_0 AS a
  ) AS a
  LEFT JOIN (
    SELECT
      b.value,
      t."level_0" AS node,
      b.mass AS source_mass,
      SUM(b.n) OVER (PARTITION BY t."level_0") AS source_n
    FROM source_0 AS b
    JOIN "kanon_nodes_0_diagnosis" AS t
      ON b.ground IS NOT DISTINCT FROM t."level_0"
  ) AS k
    ON a.value IS NOT DISTINCT FROM k.value
  GROUP BY
    a.class,
    k.node
  UNION ALL
  SELECT
    a.class,
    SUM(a.n) AS n,
    MAX(a.mass) AS mass,
    MAX(k.source_n) AS source_n,
    MAX(k.source_mass) AS source_mass,
    2 AS levels
  FROM (
    SELECT
      a.class,
      a.value,
      a.n,
      SUM(a.n) OVER (PARTITION BY a.class) AS mass
    FROM values_0 AS a
  ) AS a
  LEFT JOIN (
    SELECT
      b.value,
      t."level_1" AS node,
      b.mass AS source_mass,
      SUM(b.n) OVER (PARTITION BY t."level_1") AS source_n
    FROM source_0 AS b
    JOIN "kanon_nodes_0_diagnosis" AS t
      ON b.ground IS NOT DISTINCT FROM t."level_0"
  ) AS k
    ON a.value IS NOT DISTINCT FROM k.value
  GROUP BY
    a.class,
    k.node
) AS v
GROUP BY
  v.class
