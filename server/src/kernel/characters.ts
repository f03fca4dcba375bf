/*
 * What characters are, by the rules of Unicode. Node takes up to a millisecond to read those of one expression, so here
 * and elsewhere it does when somebody asks, not at every start.
 */

/** Control characters would make two names look the same. */
export function isPrintable(name: string): boolean {
  return !/[\p{Cc}\p{Noncharacter_Code_Point}]/u.test(name)
}

/** Without one of these a name cannot be seen. */
export function isVisible(name: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name)
}
