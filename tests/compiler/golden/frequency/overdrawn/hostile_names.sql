/* kanon: values of re”gion that unmapped rows overdraw */
SELECT
  COUNT(*) AS overdrawn
FROM "kanon_share_limits_re""gion"
WHERE
  spare < 0
