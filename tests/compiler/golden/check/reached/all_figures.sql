/* kanon: what income reaches */
WITH entries AS (
  SELECT
    s."age" AS qi_0,
    s."zip" AS qi_1,
    s."income" AS value_0,
    1 AS n
  FROM "warehouse"."main"."patients" AS s
), source_0 AS (
  SELECT
    s."income" AS ground,
    s."income" AS value,
    COUNT(*) AS n,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS mass,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS total
  FROM "warehouse"."main"."patients" AS s
  GROUP BY
    s."income"
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
      CASE WHEN COUNT(*) = COUNT(r.reached) THEN MIN(r.reached) END
    FROM (
      SELECT
        COUNT(v.n) AS reached
      FROM values_0 AS v
      GROUP BY
        v.qi_0,
        v.qi_1
    ) AS r
  ) AS figure_0,
  (
    SELECT
      CASE WHEN COUNT(*) = COUNT(r.reached) THEN MIN(r.reached) END
    FROM (
      SELECT
        LN(SUM(v.n)) - SUM(v.n * LN(v.n)) / SUM(v.n) AS reached
      FROM values_0 AS v
      GROUP BY
        v.qi_0,
        v.qi_1
    ) AS r
  ) AS figure_1,
  (
    SELECT
      CASE WHEN COUNT(*) = COUNT(r.reached) THEN MAX(r.reached) END
    FROM (
      SELECT
        MAX(v.n) / SUM(v.n) FILTER(WHERE
          v.place >= 2) AS reached
      FROM (
        SELECT
          a.qi_0,
          a.qi_1,
          a.n,
          ROW_NUMBER() OVER (PARTITION BY a.qi_0, a.qi_1 ORDER BY COALESCE(a.n, 0) DESC) AS place
        FROM values_0 AS a
      ) AS v
      GROUP BY
        v.qi_0,
        v.qi_1
    ) AS r
  ) AS figure_2,
  (
    SELECT
      CASE WHEN COUNT(*) = COUNT(r.reached) THEN MAX(r.reached) END
    FROM (
      SELECT
        MAX(v.n) / SUM(v.n) FILTER(WHERE
          v.place >= 3) AS reached
      FROM (
        SELECT
          a.qi_0,
          a.qi_1,
          a.n,
          ROW_NUMBER() OVER (PARTITION BY a.qi_0, a.qi_1 ORDER BY COALESCE(a.n, 0) DESC) AS place
        FROM values_0 AS a
      ) AS v
      GROUP BY
        v.qi_0,
        v.qi_1
    ) AS r
  ) AS figure_3,
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
  ) AS figure_4,
  (
    SELECT
      CASE WHEN COUNT(*) = COUNT(r.reached) THEN MAX(r.reached) END
    FROM (
      SELECT
        SUM(v.weight * ABS(v.upto / v.mass - v.source_upto / v.source_mass)) AS reached
      FROM (
        SELECT
          c.qi_0,
          c.qi_1,
          c.mass,
          r.weight,
          r.source_upto,
          r.source_mass,
          SUM(COALESCE(a.n, 0)) OVER (PARTITION BY c.qi_0, c.qi_1 ORDER BY r.rank ASC) AS upto
        FROM (
          SELECT
            a.qi_0,
            a.qi_1,
            SUM(a.n) AS mass
          FROM values_0 AS a
          GROUP BY
            a.qi_0,
            a.qi_1
        ) AS c
        CROSS JOIN (
          SELECT
            o.value,
            o.mass AS source_mass,
            ROW_NUMBER() OVER (ORDER BY o.place ASC) AS rank,
            SUM(o.n) OVER (ORDER BY o.place ASC) AS source_upto,
            COALESCE(1 / NULLIF(COUNT(*) OVER () - 1, 0), 0) AS weight
          FROM (
            SELECT
              b.ground,
              b.value,
              b.n,
              b.mass,
              b.ground AS place
            FROM source_0 AS b
          ) AS o
        ) AS r
        LEFT JOIN values_0 AS a
          ON a.qi_0 IS NOT DISTINCT FROM c.qi_0
          AND a.qi_1 IS NOT DISTINCT FROM c.qi_1
          AND a.value IS NOT DISTINCT FROM r.value
      ) AS v
      GROUP BY
        v.qi_0,
        v.qi_1
    ) AS r
  ) AS figure_5,
  (
    SELECT
      CASE WHEN COUNT(*) = COUNT(r.reached) THEN MAX(r.reached) END
    FROM (
      SELECT
        SUM(v.weight * ABS(v.upto / v.mass - v.source_upto / v.source_mass)) AS reached
      FROM (
        SELECT
          c.qi_0,
          c.qi_1,
          c.mass,
          r.weight,
          r.source_upto,
          r.source_mass,
          SUM(COALESCE(a.n, 0)) OVER (PARTITION BY c.qi_0, c.qi_1 ORDER BY r.rank ASC) AS upto
        FROM (
          SELECT
            a.qi_0,
            a.qi_1,
            SUM(a.n) AS mass
          FROM values_0 AS a
          GROUP BY
            a.qi_0,
            a.qi_1
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
              CAST(CAST(b.ground AS INT128) - MIN(CAST(b.ground AS INT128)) OVER () AS DOUBLE) AS place
            FROM source_0 AS b
          ) AS o
        ) AS r
        LEFT JOIN values_0 AS a
          ON a.qi_0 IS NOT DISTINCT FROM c.qi_0
          AND a.qi_1 IS NOT DISTINCT FROM c.qi_1
          AND a.value IS NOT DISTINCT FROM r.value
      ) AS v
      GROUP BY
        v.qi_0,
        v.qi_1
    ) AS r
  ) AS figure_6,
  (
    SELECT
      CASE WHEN COUNT(*) = COUNT(r.reached) THEN MAX(r.reached) END
    FROM (
      SELECT
        MAX(v.n) / SUM(v.n) AS reached
      FROM values_0 AS v
      GROUP BY
        v.qi_0,
        v.qi_1
    ) AS r
  ) AS figure_7,
  (
    SELECT
      CASE WHEN COUNT(*) = COUNT(r.reached) THEN MAX(r.reached) END
    FROM (
      SELECT
        CASE
          WHEN COUNT(v.source_n) < COUNT(v.n)
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
        v.qi_1
    ) AS r
  ) AS figure_8,
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
        v.qi_1
    ) AS r
  ) AS figure_9,
  (
    SELECT
      CASE WHEN COUNT(*) = COUNT(r.reached) THEN MAX(r.reached) END
    FROM (
      SELECT
        CASE
          WHEN COUNT(v.source_n) = COUNT(v.n)
          THEN GREATEST(
            LN(MAX(v.n / v.source_n * v.source_total)) - LN(SUM(v.n)),
            LN(SUM(v.n)) - LN(MIN(v.n / v.source_n * v.source_total))
          )
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
        v.qi_1
    ) AS r
  ) AS figure_10
