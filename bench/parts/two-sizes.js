/* Runs a server with the large organization and one with the small organization, to compare reads. */
import { withLoad } from './load.js'
import { LARGE_ORGANIZATION, ensureOrganization, readTables, SMALL_ORGANIZATION } from './organizations.js'
import { withProduct } from './product.js'

/** @import { LoadProcess } from './load.js' @import { Organization, Size } from './organizations.js' */

/**
 * @typedef {object} Side @property {string} url @property {Organization} organization @property {Size} size
 * @property {number[][]} times filled by the figure: milliseconds of each request, by round
 */

/** @template T @param {(load: LoadProcess, sides: readonly [large: Side, small: Side]) => Promise<T>} use */
export async function withSmallAndLargeOrganization(use) {
  const large = await ensureOrganization(LARGE_ORGANIZATION)
  const small = await ensureOrganization(SMALL_ORGANIZATION)
  for (const organization of [large, small]) readTables(organization)
  const env = { PARLEY_LOG_LEVEL: 'warn' }
  return withProduct({ data: large.data, env }, (ofLarge) =>
    withProduct({ data: small.data, env }, (ofSmall) =>
      withLoad((load) =>
        use(load, [
          { url: ofLarge.url, organization: large, size: LARGE_ORGANIZATION, times: [] },
          { url: ofSmall.url, organization: small, size: SMALL_ORGANIZATION, times: [] },
        ]),
      ),
    ),
  )
}
