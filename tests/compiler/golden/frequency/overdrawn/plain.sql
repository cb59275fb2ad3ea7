/* kanon: values of region that unmapped rows overdraw */
SELECT
  COUNT(*) AS overdrawn
FROM "kanon_share_limits_region"
WHERE
  spare < 0
