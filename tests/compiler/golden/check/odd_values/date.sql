/* kanon: odd values of born */
SELECT
  COUNT(*) FILTER(WHERE
    s."born" IS NULL) AS null_rows,
  COUNT(*) FILTER(WHERE
    NOT ISFINITE(s."born")) AS infinite_rows
FROM "warehouse"."main"."patients" AS s
