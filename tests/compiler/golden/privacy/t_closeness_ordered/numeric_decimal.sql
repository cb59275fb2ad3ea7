SELECT
  v.class,
  SUM(v.weight * ABS(v.upto / v.mass - v.source_upto / v.source_mass)) > 0.2 + 1e-9 AS violating,
  SUM(v.weight * ABS(v.upto / v.mass - v.source_upto / v.source_mass)) AS reached
FROM (
  SELECT
    c.class,
    c.mass,
    r.weight,
    r.source_upto,
    r.source_mass,
    SUM(COALESCE(a.n, 0)) OVER (PARTITION BY c.class ORDER BY r.rank ASC) AS upto
  FROM (
    SELECT
      a.class,
      SUM(a.n) AS mass
    FROM values_0 AS a
    GROUP BY
      a.class
  ) AS c
  CROSS JOIN (
    SELECT
      o.value,
      o.mass AS source_mass,
      ROW_NUMBER() OVER (ORDER BY o.ground ASC) AS rank,
      SUM(o.n) OVER (ORDER BY o.ground ASC) AS source_upto,
      COALESCE(
        (
          LEAD(o.place) OVER (ORDER BY o.ground ASC) - o.place
        ) / NULLIF(MAX(o.place) OVER (), 0),
        0
      ) AS weight
    FROM (
      SELECT
        b.ground,
        b.value,
        b.n,
        b.mass,
        CAST(b.ground - MIN(b.ground) OVER () AS DOUBLE) AS place
      FROM source_0 AS b
    ) AS o
  ) AS r
  LEFT JOIN values_0 AS a
    ON a.class IS NOT DISTINCT FROM c.class AND a.value IS NOT DISTINCT FROM r.value
) AS v
GROUP BY
  v.class
