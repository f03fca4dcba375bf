import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { ANY_PORT, useHttpServers } from '../../testing/http.ts'
import type { Body } from '../../testing/user.ts'
import { open } from '../capability.ts'

const servers = useHttpServers()

const exampleEndpoint = endpoint({
  id: 'anything',
  method: 'GET',
  path: '/anything',
  summary: 'Whatever the test says.',
  since: 0,
  authentication: 'none',
  input: z.object({}),
  output: z.looseObject({}),
  errors: [],
})

const makeItems = <Item>(make: (index: number) => Item): Item[] =>
  Array.from({ length: 300 }, (_, index) => make(index))

/** A list of 300 such strings is heavy, and takes more than one slice. */
const FILLER = 'é'.repeat(1_000)

describe('response with a large list', () => {
  it('serializes a large list in slices to the same JSON as in one piece', async () => {
    let answer: Body = {}
    const server = servers([open(exampleEndpoint, async () => Promise.resolve(answer))])
    const url = await server.listen(ANY_PORT)
    const fields = fc.dictionary(
      fc.string().filter((name) => !['__proto__', 'result', 'msg'].includes(name)),
      fc.oneof(
        fc.jsonValue(),
        fc.jsonValue().map((value) => makeItems(() => value)),
        fc.jsonValue().map((value) => makeItems(() => ({ value, filler: FILLER }))),
        fc.jsonValue().map((value) => ({ value, inner: { list: makeItems(() => [FILLER, value]) } })),
        fc
          .jsonValue()
          .map((value) => Object.fromEntries(makeItems((index) => [`"${index}`, [value, FILLER]] as const))),
        fc.constant(makeItems((index) => (index % 2 === 0 ? undefined : FILLER))),
        fc.constant({ ...Object.fromEntries(makeItems(() => undefined).entries()), last: FILLER.repeat(200) }),
        fc.constant(undefined),
      ),
    )
    await fc.assert(
      fc.asyncProperty(fields, async (wanted) => {
        answer = wanted
        const response = await fetch(`${url}/api/v1/anything`)
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
        const text = await response.text()
        expect(text).toBe(JSON.stringify({ result: 'success', msg: '', ...wanted }))
      }),
      { numRuns: 60 },
    )
  })

  it('replaces every API name with its compatible name in a response sent in slices', async () => {
    const entry = { service_version: 'x'.repeat(30_000), notification_sound: 'service' }
    const answer = {
      service_merge_base: '1',
      list: makeItems(() => entry),
      members: Object.fromEntries(makeItems(() => entry).entries()),
      service_version: 'y',
    }
    const server = servers([open(exampleEndpoint, async () => Promise.resolve(answer))], {
      apiNames: 'zulip',
      checkAnswers: false,
    })
    const response = await fetch(`${await server.listen(ANY_PORT)}/api/v1/anything`)
    const text = await response.text()
    expect(text).not.toMatch(/service_version|service_merge_base|"service"/)
    expect(text.match(/"zulip_version":/g)).toHaveLength(601)
    expect(text.match(/"notification_sound":"zulip"/g)).toHaveLength(600)
  })

  it('answers HEAD for a large list without a body', async () => {
    const server = servers([open(exampleEndpoint, async () => Promise.resolve({ list: makeItems(() => FILLER) }))])
    const response = await fetch(`${await server.listen(ANY_PORT)}/api/v1/anything`, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})
