/* kanon: verify the persons in every class */
WITH people AS (
  SELECT
    s."per""son" AS person,
    m0."level_0" AS qi_0,
    m1."level_1" AS qi_1,
    m2."level_2" AS qi_2,
    m3."level_1" AS qi_3,
    m4."level_0" AS qi_4
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
), source_classes AS (
  SELECT
    p.qi_0,
    p.qi_1,
    p.qi_2,
    p.qi_3,
    p.qi_4,
    COUNT(*) AS row_count,
    COUNT(DISTINCT p.person) AS persons
  FROM people AS p
  GROUP BY
    p.qi_0,
    p.qi_1,
    p.qi_2,
    p.qi_3,
    p.qi_4
  HAVING
    NOT (
      COALESCE(COUNT(DISTINCT p.person) < 5, TRUE)
    )
), release_classes AS (
  SELECT
    r."a""b" AS qi_0,
    r."select" AS qi_1,
    r."größe" AS qi_2,
    r."Marital Status" AS qi_3,
    r."t""; drop table patients; --" AS qi_4,
    COUNT(*) AS row_count
  FROM (
    SELECT
      *,
      '*' AS "a""b",
      '*' AS "select",
      '*' AS "größe",
      '*' AS "Marital Status",
      '*' AS "t""; drop table patients; --"
    FROM READ_PARQUET(
      'out/**/*.parquet',
      hive_partitioning = TRUE,
      hive_types = {'sex': 'VARCHAR', 'a"b': 'DATE'}
    )
  ) AS r
  GROUP BY
    r."a""b",
    r."select",
    r."größe",
    r."Marital Status",
    r."t""; drop table patients; --"
)
SELECT
  (
    SELECT
      COUNT(*)
    FROM source_classes AS c
    FULL OUTER JOIN release_classes AS r
      ON c.qi_0 IS NOT DISTINCT FROM r.qi_0
      AND c.qi_1 IS NOT DISTINCT FROM r.qi_1
      AND c.qi_2 IS NOT DISTINCT FROM r.qi_2
      AND c.qi_3 IS NOT DISTINCT FROM r.qi_3
      AND c.qi_4 IS NOT DISTINCT FROM r.qi_4
    WHERE
      c.row_count IS DISTINCT FROM r.row_count
  ) AS differing,
  (
    SELECT
      COUNT(DISTINCT p.person)
    FROM people AS p
    JOIN release_classes AS r
      ON p.qi_0 IS NOT DISTINCT FROM r.qi_0
      AND p.qi_1 IS NOT DISTINCT FROM r.qi_1
      AND p.qi_2 IS NOT DISTINCT FROM r.qi_2
      AND p.qi_3 IS NOT DISTINCT FROM r.qi_3
      AND p.qi_4 IS NOT DISTINCT FROM r.qi_4
  ) AS persons,
  (
    SELECT
      MIN(persons)
    FROM source_classes
  ) AS smallest
