/* kanon: verify that every generalized value belongs to its level */
SELECT
  (
    SELECT
      COUNT(*)
    FROM (
      SELECT DISTINCT
        "age" AS value
      FROM "warehouse"."main"."patients_k5"
    ) AS r
    WHERE
      NOT EXISTS(
        SELECT
          1
        FROM "kanon_map_age" AS t
        WHERE
          t."level_1" IS NOT DISTINCT FROM r.value
      )
  ) AS foreign_0,
  (
    SELECT
      COUNT(*)
    FROM (
      SELECT DISTINCT
        "zip" AS value
      FROM "warehouse"."main"."patients_k5"
    ) AS r
    WHERE
      NOT EXISTS(
        SELECT
          1
        FROM "kanon_map_zip" AS t
        WHERE
          t."level_2" IS NOT DISTINCT FROM r.value
      )
  ) AS foreign_1
