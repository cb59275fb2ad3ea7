/* kanon: what diagnosis reaches */
WITH entries AS (
  SELECT
    s."age" AS qi_0,
    s."zip" AS qi_1,
    s."diagnosis" AS value_0,
    1 AS n
  FROM "warehouse"."main"."patients" AS s
), source_0 AS (
  SELECT
    s."diagnosis" AS ground,
    s."diagnosis" AS value,
    COUNT(*) AS n,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS mass,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS total
  FROM (
    SELECT
      *
    FROM "warehouse"."main"."everybody"
    WHERE
      admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
  ) AS s
  GROUP BY
    s."diagnosis"
), values_0 AS (
  SELECT
    e.qi_0,
    e.qi_1,
    e.value_0 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.qi_0,
    e.qi_1,
    e.value_0
)
SELECT
  (
    SELECT
      CASE WHEN COUNT(*) = COUNT(r.reached) THEN MAX(r.reached) END
    FROM (
      SELECT
        SUM(GREATEST(v.n / v.mass - COALESCE(v.source_n / v.source_mass, 0), 0)) FILTER(WHERE
          NOT v.n IS NULL) AS reached
      FROM (
        SELECT
          a.qi_0,
          a.qi_1,
          a.n,
          SUM(a.n) OVER (PARTITION BY a.qi_0, a.qi_1) AS mass,
          b.n AS source_n,
          b.mass AS source_mass
        FROM values_0 AS a
        LEFT JOIN source_0 AS b
          ON a.value IS NOT DISTINCT FROM b.value
      ) AS v
      GROUP BY
        v.qi_0,
        v.qi_1
    ) AS r
  ) AS figure_0
