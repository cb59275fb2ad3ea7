/* kanon: sizes of the values of region */
SELECT DISTINCT
  n
FROM "kanon_share_values_region"
