/* kanon: the top label below the top of a hierarchy */
SELECT
  COALESCE(
    BOOL_OR(
      CAST(CAST(h."a""b" AS TEXT) = 'it''s "*"' AND CAST(h."select" AS TEXT) <> 'it''s "*"' AS BOOLEAN)
    ),
    FALSE
  ) AS below_0,
  COALESCE(
    BOOL_OR(
      CAST(CAST(h."select" AS TEXT) = 'it''s "*"' AND CAST(h."it's" AS TEXT) <> 'it''s "*"' AS BOOLEAN)
    ),
    FALSE
  ) AS below_1
FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS h
