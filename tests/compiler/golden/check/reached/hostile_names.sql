/* kanon: what dia”gnosis reaches */
WITH entries AS (
  SELECT
    s."a""b" AS qi_0,
    s."select" AS qi_1,
    s."größe" AS qi_2,
    s."Marital Status" AS qi_3,
    s."t""; drop table patients; --" AS qi_4,
    s."dia""gnosis" AS value_0,
    s."per""son" AS person,
    1 AS n
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
  WHERE
    NOT COALESCE(
      CAST(s."a""b" AS TEXT) = '*'
      AND CAST(s."select" AS TEXT) = '*'
      AND CAST(s."größe" AS TEXT) = '*'
      AND CAST(s."Marital Status" AS TEXT) = '*'
      AND CAST(s."t""; drop table patients; --" AS TEXT) = '*',
      FALSE
    )
), source_0 AS (
  SELECT
    s."dia""gnosis" AS ground,
    s."dia""gnosis" AS value,
    COUNT(*) AS n,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS mass,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS total
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
  GROUP BY
    s."dia""gnosis"
), values_0 AS (
  SELECT
    e.qi_0,
    e.qi_1,
    e.qi_2,
    e.qi_3,
    e.qi_4,
    e.value_0 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.qi_0,
    e.qi_1,
    e.qi_2,
    e.qi_3,
    e.qi_4,
    e.value_0
)
SELECT
  (
    SELECT
      CASE WHEN COUNT(*) = COUNT(r.reached) THEN MIN(r.reached) END
    FROM (
      SELECT
        LN(SUM(v.n)) - SUM(v.n * LN(v.n)) / SUM(v.n) AS reached
      FROM values_0 AS v
      GROUP BY
        v.qi_0,
        v.qi_1,
        v.qi_2,
        v.qi_3,
        v.qi_4
    ) AS r
  ) AS figure_0,
  (
    SELECT
      CASE WHEN COUNT(*) = COUNT(r.reached) THEN MAX(r.reached) END
    FROM (
      SELECT
        CASE
          WHEN COUNT(v.source_n) < COUNT(v.n)
          THEN NULL
          WHEN MAX(v.n / v.source_n * v.source_total / (
            1 - LN(v.source_n / v.source_total)
          )) / SUM(v.n) > 1 + 1e-9
          THEN NULL
          ELSE GREATEST(MAX(v.n / v.source_n * v.source_total) / SUM(v.n) - 1, 0)
        END AS reached
      FROM (
        SELECT
          a.*,
          b.n AS source_n,
          b.mass AS source_mass,
          b.total AS source_total
        FROM values_0 AS a
        LEFT JOIN source_0 AS b
          ON a.value IS NOT DISTINCT FROM b.value
      ) AS v
      GROUP BY
        v.qi_0,
        v.qi_1,
        v.qi_2,
        v.qi_3,
        v.qi_4
    ) AS r
  ) AS figure_1
