/* kanon: verify that every generalized value belongs to its level */
SELECT
  (
    SELECT
      COUNT(*)
    FROM (
      SELECT DISTINCT
        "a""b" AS value
      FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --"
    ) AS r
    WHERE
      NOT EXISTS(
        SELECT
          1
        FROM "kanon_map_a""b" AS t
        WHERE
          t."level_0" IS NOT DISTINCT FROM r.value
      )
  ) AS foreign_0,
  (
    SELECT
      COUNT(*)
    FROM (
      SELECT DISTINCT
        "größe" AS value
      FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --"
    ) AS r
    WHERE
      NOT EXISTS(
        SELECT
          1
        FROM "kanon_map_größe" AS t
        WHERE
          t."level_2" IS NOT DISTINCT FROM r.value
      )
  ) AS foreign_2,
  (
    SELECT
      COUNT(*)
    FROM (
      SELECT DISTINCT
        "Marital Status" AS value
      FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --"
    ) AS r
    WHERE
      NOT EXISTS(
        SELECT
          1
        FROM "kanon_map_Marital Status" AS t
        WHERE
          t."level_1" IS NOT DISTINCT FROM r.value
      )
  ) AS foreign_3,
  (
    SELECT
      COUNT(*)
    FROM (
      SELECT DISTINCT
        "t""; drop table patients; --" AS value
      FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --"
    ) AS r
    WHERE
      NOT EXISTS(
        SELECT
          1
        FROM "kanon_map_t""; drop table patients; --" AS t
        WHERE
          t."level_0" IS NOT DISTINCT FROM r.value
      )
  ) AS foreign_4
