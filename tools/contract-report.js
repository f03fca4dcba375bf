/*
 * Prints what the last test run compared with the machine-readable API contract, an optional neighbour folder of
 * the clone. The tests write coverage/contract-report.json:
 *   { "checked": 1234, "endpoints": ["POST /messages", …], "errorCodes": […], "eventTypes": […], "missing": […] }
 * where `checked` counts answers and events, the lists name what occurred, and `missing`, which may be absent, what
 * the tests know to be unchecked.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const REPORT = fileURLToPath(new URL('../coverage/contract-report.json', import.meta.url))
const CONTRACT = fileURLToPath(new URL('../../shared/contract/endpoints.json', import.meta.url))

if (!existsSync(CONTRACT)) {
  console.log('contract: no contract folder beside this clone, nothing was compared.')
} else if (!existsSync(REPORT)) {
  console.error('contract: the tests left no coverage/contract-report.json.')
  process.exitCode = 1
} else {
  /** @type {{ checked: number, endpoints: string[], errorCodes: string[], eventTypes: string[], missing?: string[] }} */
  const report = JSON.parse(readFileSync(REPORT, 'utf8'))
  /** @type {{ endpoints: { method: string, path: string, inSeed: boolean }[] }} */
  const contract = JSON.parse(readFileSync(CONTRACT, 'utf8'))
  const seed = contract.endpoints.filter((endpoint) => endpoint.inSeed).map(({ method, path }) => `${method} ${path}`)
  const absent = seed.filter((endpoint) => !report.endpoints.includes(endpoint))

  console.log(`contract: ${report.checked} answers and events checked`)
  console.log(`  ${report.endpoints.length} endpoints, ${seed.length - absent.length} of the ${seed.length} main ones`)
  console.log(`  ${report.errorCodes.length} error codes: ${report.errorCodes.join(', ')}`)
  console.log(`  ${report.eventTypes.length} event types: ${report.eventTypes.join(', ')}`)
  if (absent.length > 0) console.log(`  did not occur: ${absent.join(', ')}`)
  if (report.missing !== undefined && report.missing.length > 0) console.log(`  missing: ${report.missing.join(', ')}`)
  if (!(report.checked > 0)) process.exitCode = 1
}
