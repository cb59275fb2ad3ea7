/* kanon: the top label below the top of a hierarchy */
SELECT
  COALESCE(
    BOOL_OR(CAST(CAST(h."age" AS TEXT) = '*' AND CAST(h."decade" AS TEXT) <> '*' AS BOOLEAN)),
    FALSE
  ) AS below_0,
  COALESCE(
    BOOL_OR(
      CAST(CAST(h."decade" AS TEXT) = '*' AND CAST(h."adult" AS TEXT) <> '*' AS BOOLEAN)
    ),
    FALSE
  ) AS below_1,
  COALESCE(BOOL_OR(CAST(CAST(h."adult" AS TEXT) = '*' AND FALSE AS BOOLEAN)), FALSE) AS below_2
FROM "warehouse"."main"."age_levels" AS h
