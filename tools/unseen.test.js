import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { capabilities } from '../server/src/capabilities.ts'
import { ERRORS } from '../server/src/kernel/refusal.ts'
import { UNSEEN_NAMES } from './unseen.js'

const CONTRACT = new URL('../../shared/contract/', import.meta.url)

/** @param {'endpoints' | 'errorCodes' | 'eventTypes' | 'registerFields'} kind */
const namesIn = (kind) => UNSEEN_NAMES.flatMap((entry) => entry[kind] ?? [])

/** Returns an endpoint without the names of its parameters. @param {string} name */
const withoutParameterNames = (name) => name.replaceAll(/\{\w+\}|:\w+\*?/g, '*')

/** @param {{ type: string, op?: string | undefined }} event */
const eventName = ({ type, op }) => (op === undefined ? type : `${type}/${op}`)

it('exempts no implemented endpoint, event, or error code of the contract from coverage', () => {
  const routes = capabilities.flatMap(({ routes: all }) => all.map(({ endpoint }) => endpoint))
  const endpoints = new Set(routes.map(({ method, path }) => withoutParameterNames(`${method} ${path}`)))
  const events = new Set(capabilities.flatMap(({ events: all }) => all.map(({ event }) => eventName(event))))
  expect(endpoints.size * events.size).toBeGreaterThan(0)
  expect(namesIn('endpoints').filter((name) => endpoints.has(withoutParameterNames(name)))).toEqual([])
  expect(namesIn('eventTypes').filter((name) => events.has(name))).toEqual([])
  expect(namesIn('errorCodes').filter((code) => code in ERRORS)).toEqual([])
})

it.runIf(existsSync(new URL('endpoints.json', CONTRACT)))(
  'exempts from coverage only names that the contract contains, each once',
  () => {
    /** @param {string} file */
    const read = (file) => JSON.parse(readFileSync(new URL(file, CONTRACT), 'utf8'))
    /** @type {{ endpoints: { method: string, path: string }[], undocumented: { method: string, path: string }[] }} */
    const { endpoints, undocumented } = read('endpoints.json')
    /** @type {{ events: { type: string, op?: string }[] }} */
    const { events } = read('events.json')
    /** @type {{ errorCodes: { code: string }[] }} */
    const { errorCodes } = read('settings.json')
    /** @type {{ fields: { field: string }[] }} */
    const { fields } = read('register.json')
    for (const [names, known] of /** @type {const} */ ([
      [namesIn('endpoints'), [...endpoints, ...undocumented].map(({ method, path }) => `${method} ${path}`)],
      [namesIn('eventTypes'), events.map(eventName)],
      [namesIn('errorCodes'), errorCodes.map(({ code }) => code)],
      [namesIn('registerFields'), fields.map(({ field }) => field)],
    ])) {
      expect(names.filter((name) => !known.includes(name))).toEqual([])
      expect(new Set(names).size).toBe(names.length)
    }
  },
)
