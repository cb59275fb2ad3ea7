/* kanon: verify what the values of re”gion lose */
WITH entries AS (
  SELECT
    m0."level_0" AS qi_0,
    m1."level_1" AS qi_1,
    m2."level_2" AS qi_2,
    m3."level_1" AS qi_3,
    m4."level_0" AS qi_4,
    s."dia""gnosis" AS value_0,
    s."from" AS value_1,
    s."*/ drop table x; /*" AS value_2,
    s."per""son" AS person,
    1 AS n
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
  JOIN "kanon_map_a""b" AS m0
    ON s."a""b" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_select" AS m1
    ON s."select" IS NOT DISTINCT FROM m1."level_0"
  JOIN "kanon_map_größe" AS m2
    ON s."größe" IS NOT DISTINCT FROM m2."level_0"
  JOIN "kanon_map_Marital Status" AS m3
    ON s."Marital Status" IS NOT DISTINCT FROM m3."level_0"
  JOIN "kanon_map_t""; drop table patients; --" AS m4
    ON s."t""; drop table patients; --" IS NOT DISTINCT FROM m4."level_0"
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
), source_1 AS (
  SELECT
    s."from" AS ground,
    s."from" AS value,
    COUNT(*) AS n,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS mass,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS total
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
  GROUP BY
    s."from"
), source_2 AS (
  SELECT
    s."*/ drop table x; /*" AS ground,
    s."*/ drop table x; /*" AS value,
    COUNT(*) AS n,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS mass,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS total
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
  GROUP BY
    s."*/ drop table x; /*"
), population AS (
  SELECT
    m0."level_0" AS qi_0,
    m1."level_1" AS qi_1,
    m2."level_2" AS qi_2,
    m3."level_1" AS qi_3,
    m4."level_0" AS qi_4,
    1 AS n
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
  JOIN "kanon_map_a""b" AS m0
    ON s."a""b" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_select" AS m1
    ON s."select" IS NOT DISTINCT FROM m1."level_0"
  JOIN "kanon_map_größe" AS m2
    ON s."größe" IS NOT DISTINCT FROM m2."level_0"
  JOIN "kanon_map_Marital Status" AS m3
    ON s."Marital Status" IS NOT DISTINCT FROM m3."level_0"
  JOIN "kanon_map_t""; drop table patients; --" AS m4
    ON s."t""; drop table patients; --" IS NOT DISTINCT FROM m4."level_0"
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
), values_1 AS (
  SELECT
    e.qi_0,
    e.qi_1,
    e.qi_2,
    e.qi_3,
    e.qi_4,
    e.value_1 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.qi_0,
    e.qi_1,
    e.qi_2,
    e.qi_3,
    e.qi_4,
    e.value_1
), values_2 AS (
  SELECT
    e.qi_0,
    e.qi_1,
    e.qi_2,
    e.qi_3,
    e.qi_4,
    e.value_2 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.qi_0,
    e.qi_1,
    e.qi_2,
    e.qi_3,
    e.qi_4,
    e.value_2
), verdicts AS (
  SELECT
    v.qi_0,
    v.qi_1,
    v.qi_2,
    v.qi_3,
    v.qi_4,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(COUNT(DISTINCT v.person) < 5, TRUE) AS violating
  FROM entries AS v
  GROUP BY
    v.qi_0,
    v.qi_1,
    v.qi_2,
    v.qi_3,
    v.qi_4
  UNION ALL
  SELECT
    v.qi_0,
    v.qi_1,
    v.qi_2,
    v.qi_3,
    v.qi_4,
    0 AS row_count,
    COALESCE(
      SUM(GREATEST(v.n / v.mass - COALESCE(v.source_n / v.source_mass, 0), 0)) FILTER(WHERE
        NOT v.n IS NULL) / MAX(v.levels) > 0.2 + 1e-9,
      TRUE
    ) AS violating
  FROM (
    SELECT
      a.qi_0,
      a.qi_1,
      a.qi_2,
      a.qi_3,
      a.qi_4,
      SUM(a.n) AS n,
      MAX(a.mass) AS mass,
      MAX(k.source_n) AS source_n,
      MAX(k.source_mass) AS source_mass,
      1 AS levels
    FROM (
      SELECT
        a.qi_0,
        a.qi_1,
        a.qi_2,
        a.qi_3,
        a.qi_4,
        a.value,
        a.n,
        SUM(a.n) OVER (PARTITION BY a.qi_0, a.qi_1, a.qi_2, a.qi_3, a.qi_4) AS mass
      FROM values_0 AS a
    ) AS a
    LEFT JOIN (
      SELECT
        b.value,
        t."level_0" AS node,
        b.mass AS source_mass,
        SUM(b.n) OVER (PARTITION BY t."level_0") AS source_n
      FROM source_0 AS b
      JOIN "tax""; --" AS t
        ON b.ground IS NOT DISTINCT FROM t."level_0"
    ) AS k
      ON a.value IS NOT DISTINCT FROM k.value
    GROUP BY
      a.qi_0,
      a.qi_1,
      a.qi_2,
      a.qi_3,
      a.qi_4,
      k.node
  ) AS v
  GROUP BY
    v.qi_0,
    v.qi_1,
    v.qi_2,
    v.qi_3,
    v.qi_4
  UNION ALL
  SELECT
    v.qi_0,
    v.qi_1,
    v.qi_2,
    v.qi_3,
    v.qi_4,
    0 AS row_count,
    COALESCE(
      SUM(v.weight * ABS(v.upto / v.mass - v.source_upto / v.source_mass)) > 0.2 + 1e-9,
      TRUE
    ) AS violating
  FROM (
    SELECT
      c.qi_0,
      c.qi_1,
      c.qi_2,
      c.qi_3,
      c.qi_4,
      c.mass,
      r.weight,
      r.source_upto,
      r.source_mass,
      SUM(COALESCE(a.n, 0)) OVER (PARTITION BY c.qi_0, c.qi_1, c.qi_2, c.qi_3, c.qi_4 ORDER BY r.rank ASC) AS upto
    FROM (
      SELECT
        a.qi_0,
        a.qi_1,
        a.qi_2,
        a.qi_3,
        a.qi_4,
        SUM(a.n) AS mass
      FROM values_1 AS a
      GROUP BY
        a.qi_0,
        a.qi_1,
        a.qi_2,
        a.qi_3,
        a.qi_4
    ) AS c
    CROSS JOIN (
      SELECT
        o.value,
        o.mass AS source_mass,
        ROW_NUMBER() OVER (ORDER BY NOT o.place IS NULL ASC, o.place ASC) AS rank,
        SUM(o.n) OVER (ORDER BY NOT o.place IS NULL ASC, o.place ASC) AS source_upto,
        COALESCE(1 / NULLIF(COUNT(*) OVER () - 1, 0), 0) AS weight
      FROM (
        SELECT
          b.ground,
          b.value,
          b.n,
          b.mass,
          CASE CAST(b.ground AS TEXT)
            WHEN 'a"b'
            THEN 1
            WHEN 'select'
            THEN 2
            WHEN 'größe'
            THEN 3
            WHEN 'Marital Status'
            THEN 4
            WHEN 't"; drop table patients; --'
            THEN 5
          END AS place
        FROM source_1 AS b
      ) AS o
    ) AS r
    LEFT JOIN values_1 AS a
      ON a.qi_0 IS NOT DISTINCT FROM c.qi_0
      AND a.qi_1 IS NOT DISTINCT FROM c.qi_1
      AND a.qi_2 IS NOT DISTINCT FROM c.qi_2
      AND a.qi_3 IS NOT DISTINCT FROM c.qi_3
      AND a.qi_4 IS NOT DISTINCT FROM c.qi_4
      AND a.value IS NOT DISTINCT FROM r.value
  ) AS v
  GROUP BY
    v.qi_0,
    v.qi_1,
    v.qi_2,
    v.qi_3,
    v.qi_4
  UNION ALL
  SELECT
    v.qi_0,
    v.qi_1,
    v.qi_2,
    v.qi_3,
    v.qi_4,
    0 AS row_count,
    COALESCE(
      COUNT(v.n) = 0
      OR COALESCE(MAX(v.n / NULLIF(v.largest, 0)), 0) / SUM(v.n) > 1 + 1e-9
      OR BOOL_OR(CAST(COALESCE(v.largest = 0 AND NOT v.n IS NULL, FALSE) AS BOOLEAN)),
      TRUE
    ) AS violating
  FROM (
    SELECT
      a.*,
      CASE CAST(b.ground AS TEXT)
        WHEN 'HIV'
        THEN 0.2
        WHEN 'it''s */ drop table x; --'
        THEN 0
      END AS largest
    FROM values_2 AS a
    LEFT JOIN source_2 AS b
      ON a.value IS NOT DISTINCT FROM b.value
  ) AS v
  GROUP BY
    v.qi_0,
    v.qi_1,
    v.qi_2,
    v.qi_3,
    v.qi_4
  UNION ALL
  SELECT
    v.qi_0,
    v.qi_1,
    v.qi_2,
    v.qi_3,
    v.qi_4,
    0 AS row_count,
    COALESCE(SUM(v.n) < 9, TRUE) AS violating
  FROM (
    SELECT
      e.qi_0,
      e.qi_1,
      e.qi_2,
      e.qi_3,
      e.qi_4,
      0 AS n
    FROM entries AS e
    GROUP BY
      e.qi_0,
      e.qi_1,
      e.qi_2,
      e.qi_3,
      e.qi_4
    UNION ALL
    SELECT
      e.qi_0,
      e.qi_1,
      e.qi_2,
      e.qi_3,
      e.qi_4,
      SUM(e.n) AS n
    FROM population AS e
    GROUP BY
      e.qi_0,
      e.qi_1,
      e.qi_2,
      e.qi_3,
      e.qi_4
  ) AS v
  GROUP BY
    v.qi_0,
    v.qi_1,
    v.qi_2,
    v.qi_3,
    v.qi_4
), classes AS (
  SELECT
    v.qi_0,
    v.qi_1,
    v.qi_2,
    v.qi_3,
    v.qi_4,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    BOOL_OR(CAST(v.violating AS BOOLEAN)) OR COUNT(*) < 5 AS violating
  FROM verdicts AS v
  GROUP BY
    v.qi_0,
    v.qi_1,
    v.qi_2,
    v.qi_3,
    v.qi_4
  HAVING
    SUM(v.row_count) > 0
), satisfying AS (
  SELECT
    c.qi_0,
    c.qi_1,
    c.qi_2,
    c.qi_3,
    c.qi_4,
    c.row_count
  FROM classes AS c
  WHERE
    NOT c.violating
), kept AS (
  SELECT
    s."re""gion" AS ground,
    COUNT(*) AS n
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
  JOIN "kanon_map_a""b" AS m0
    ON s."a""b" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_select" AS m1
    ON s."select" IS NOT DISTINCT FROM m1."level_0"
  JOIN "kanon_map_größe" AS m2
    ON s."größe" IS NOT DISTINCT FROM m2."level_0"
  JOIN "kanon_map_Marital Status" AS m3
    ON s."Marital Status" IS NOT DISTINCT FROM m3."level_0"
  JOIN "kanon_map_t""; drop table patients; --" AS m4
    ON s."t""; drop table patients; --" IS NOT DISTINCT FROM m4."level_0"
  JOIN satisfying AS c
    ON m0."level_0" IS NOT DISTINCT FROM c.qi_0
    AND m1."level_1" IS NOT DISTINCT FROM c.qi_1
    AND m2."level_2" IS NOT DISTINCT FROM c.qi_2
    AND m3."level_1" IS NOT DISTINCT FROM c.qi_3
    AND m4."level_0" IS NOT DISTINCT FROM c.qi_4
  GROUP BY
    s."re""gion"
)
SELECT
  a.n AS row_count,
  MAX(a.n - COALESCE(k.n, 0)) AS lost
FROM (
  SELECT
    s."re""gion" AS ground,
    COUNT(*) AS n
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
  GROUP BY
    s."re""gion"
) AS a
LEFT JOIN kept AS k
  ON a.ground IS NOT DISTINCT FROM k.ground
GROUP BY
  a.n
ORDER BY
  a.n
