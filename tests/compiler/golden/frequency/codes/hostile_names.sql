/* kanon: trie codes of t”; drop table patients; -- */
CREATE TABLE "kanon_codes_t""; drop table patients; --" AS
SELECT
  ground,
  CAST(digit_0 * CAST(1 AS BIGINT) + digit_1 * CAST(8 AS BIGINT) AS BIGINT) AS code_0
FROM "kanon_digits_t""; drop table patients; --"
