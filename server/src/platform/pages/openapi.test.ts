import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { capabilities } from '../../capabilities.ts'
import { parseParameters } from '../../kernel/parameters.ts'
import { ERRORS } from '../../kernel/refusal.ts'
import { useTestServer, type TestServer } from '../../testing/server.ts'
import { exampleText } from './reference-page.ts'
import { describeApi } from './reference.ts'

const server = useTestServer()
const endpoints = capabilities.flatMap(({ routes }) => routes.map(({ endpoint }) => endpoint))
const declaredEvents = capabilities.flatMap(({ events }) => events.map(({ event }) => event))

interface OpenApi {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly 'x-events': readonly { type: string; op?: string; summary: string; payload: Schema }[]
}
interface DocumentedOperation {
  readonly operationId: string
  readonly 'x-feature-level': number
  readonly 'x-endpoints'?: readonly { id: string; path: string; 'x-feature-level': number }[]
  readonly security?: readonly unknown[]
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema?: Schema; content?: object }[]
  readonly requestBody?: { content: Record<string, { schema: Schema; encoding?: Record<string, object> }> }
  readonly responses: Readonly<Record<string, { content?: object }>>
}
interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required?: readonly string[]
}

async function fetchDocument({ parley }: TestServer = server()): Promise<OpenApi> {
  const answer = await fetch(`${parley.url}/api/v1/openapi.json`)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  // Safe: the first test validates the document, and the other tests check its fields.
  return (await answer.json()) as OpenApi
}

function operationsOf(document: OpenApi): { path: string; method: string; operation: DocumentedOperation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

function findOperation(
  document: OpenApi,
  id: string,
): { path: string; method: string; operation: DocumentedOperation } {
  const found = operationsOf(document).find(
    ({ operation }) => operation.operationId === id || operation['x-endpoints']?.some((one) => one.id === id) === true,
  )
  if (found === undefined) throw new Error(`${id} is not in the document`)
  return found
}

describe('OpenAPI document', () => {
  it('serves a valid OpenAPI 3.1 document', async () => {
    const document = await fetchDocument()
    expect(document.openapi).toBe('3.1.0')
    const { valid, errors } = await new Validator().validate({ ...document })
    expect([valid, errors]).toEqual([true, undefined])
  })

  it('resolves every reference within the document', async () => {
    const document = await fetchDocument()
    const missing = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].filter(([, reference = '']) => {
      const steps = reference.split('/').slice(1)
      const at = steps.reduce<unknown>(
        (value, step) => (value instanceof Object ? Reflect.get(value, step) : undefined),
        document,
      )
      return !reference.startsWith('#/') || at === undefined
    })
    expect(missing).toEqual([])
  })

  it('lists each path once in OpenAPI, with all path parameters', async () => {
    const document = await fetchDocument()
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
    expect(new Set(shapes).size).toBe(shapes.length)
    for (const { path, operation } of operationsOf(document)) {
      const inPath = operation.parameters?.filter((parameter) => parameter.in === 'path') ?? []
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect(inPath.every(({ required }) => required)).toBe(true)
    }
    const ids = operationsOf(document).map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('documents every endpoint in OpenAPI with parameters, errors, and authentication', async () => {
    const document = await fetchDocument()
    for (const endpoint of endpoints) {
      const { path, method, operation } = findOperation(document, endpoint.id)
      expect(method).toBe(endpoint.method.toLowerCase())
      expect(path.replace(/\{\w+\}/g, '{}')).toBe(endpoint.path.replace(/:\w+\*?/g, '{}'))
      const own = operation['x-endpoints']?.find(({ id }) => id === endpoint.id) ?? operation
      expect(own['x-feature-level']).toBe(endpoint.since)
      const security = { required: undefined, optional: [{ apiKey: [] }, { session: [] }, {}], none: [] }
      const login = endpoint.forSpectators === true ? 'optional' : (endpoint.authentication ?? 'required')
      expect(operation.security).toEqual(security[login])
      const form = Object.keys(document.components.schemas[`${operation.operationId}.form`]?.properties ?? {})
      const names = [...(operation.parameters ?? []).map(({ name }) => name), ...form]
      const expected = [...Object.keys(endpoint.input.shape), ...Object.keys(endpoint.aliases ?? {})]
      for (const name of expected.filter((one) => !endpoint.path.includes(`:${one}`))) expect(names).toContain(name)
      for (const code of [...endpoint.errors, 'BAD_REQUEST', 'INVALID_JSON'] as const) {
        expect(JSON.stringify(operation.responses[ERRORS[code].status])).toContain(`"${code}"`)
      }
    }
  })

  it('documents streaming responses with the Last-Event-ID header', async () => {
    const document = await fetchDocument()
    const streaming = operationsOf(document).filter(
      ({ operation }) => 'text/event-stream' in (operation.responses[200]?.content ?? {}),
    )
    const declared = endpoints.filter(({ stream }) => stream !== undefined)
    expect(streaming.map(({ operation }) => operation.operationId)).toEqual(declared.map(({ id }) => id))
    for (const { operation } of streaming) {
      expect(operation.parameters).toContainEqual(expect.objectContaining({ name: 'Last-Event-ID', in: 'header' }))
    }
  })

  it('documents every event in OpenAPI', async () => {
    const document = await fetchDocument()
    expect(document['x-events'].length).toBe(declaredEvents.length)
    for (const { type, op, summary, payload } of declaredEvents) {
      const event = document['x-events'].find((one) => one.type === type && one.op === op)
      expect(event).toMatchObject({ summary })
      const schema = document.components.schemas[event?.payload.$ref?.split('/').at(-1) ?? '']
      expect(Object.keys(schema?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(payload.shape)))
      expect(schema?.required).toEqual(expect.arrayContaining(['id', 'type']))
    }
  })

  it('documents lookups by user ID and by email under one path', async () => {
    const { path, operation } = findOperation(await fetchDocument(), 'getUserByEmail')
    expect(path).toBe('/users/{user_id_or_email}')
    expect(operation['x-endpoints']?.map(({ id }) => id)).toEqual(['getUser', 'getUserByEmail'])
    expect(operation.parameters?.[0]).toMatchObject({
      schema: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] },
    })
  })
})

describe('OpenAPI parameters', () => {
  it("documents each parameter's encoding, default, and aliases, and whether it is required", async () => {
    const document = await fetchDocument()
    const { operation: send } = findOperation(document, 'sendMessage')
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
      const media = send.requestBody?.content[type]
      expect(media?.schema).toEqual({ $ref: '#/components/schemas/sendMessage.form' })
      expect(media?.encoding).toEqual({ to: { contentType: 'application/json' } })
    }
    const form = document.components.schemas['sendMessage.form']
    expect(form?.required).toEqual(['type', 'to', 'content'])
    expect(form?.properties?.['subject']).toMatchObject({ deprecated: true })
    const { operation: list } = findOperation(document, 'getMessages')
    const byName = new Map(list.parameters?.map((parameter) => [parameter.name, parameter]))
    expect(byName.get('narrow')).toMatchObject({
      in: 'query',
      content: { 'application/json': { schema: { default: [] } } },
    })
    expect(byName.get('include_anchor')).toMatchObject({ schema: { type: 'boolean', default: true } })
    expect(byName.get('anchor')?.required).toBeUndefined()
  })

  it('describes parameters exactly as the server accepts them', () => {
    const operations = describeApi(capabilities, 'neutral').groups.flatMap((group) => group.operations)
    for (const endpoint of endpoints) {
      const parameters = operations.find(({ id }) => id === endpoint.id)?.parameters ?? []
      const own = parameters.filter(({ aliasOf }) => aliasOf === undefined)
      const raw = new Map(own.map((parameter) => [parameter.name, exampleText(parameter)]))
      expect(() => parseParameters(endpoint, raw), `${endpoint.id} ${JSON.stringify([...raw])}`).not.toThrow()
    }
  })
})

it('matches real responses and events of the server', async () => {
  const document = await fetchDocument()
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema({ ...document, $id: 'parley' })
  const expectToFit = (pointer: string, value: unknown): void => {
    const fits = ajv.compile({ $ref: `parley#${pointer}` })
    fits(value)
    expect([pointer, fits.errors]).toEqual([pointer, null])
  }
  const expectAnswer = (id: string, status: number, body: unknown): void => {
    const { path, method } = findOperation(document, id)
    const at = ['paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema']
    expectToFit(at.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''), body)
  }

  const organization = await server().organization()
  const { owner } = organization
  const reader = await organization.user('Rita Reader')
  const queue = await owner.register()
  expectAnswer('subscribe', 200, await owner.subscribe(['general'], { principals: [owner.id, reader.id] }))
  const sent = { type: 'stream', to: 'general', topic: 'hello', content: 'Hello', unheard_of: '1' }
  expectAnswer('sendMessage', 200, await owner.call('POST', '/messages', sent))
  await owner.sendTo([reader.id], 'psst')
  expectAnswer(
    'getMessages',
    200,
    await owner.call('GET', '/messages', { anchor: 'newest', num_before: 9, num_after: 0 }),
  )
  expectAnswer('getUsers', 200, await owner.call('GET', '/users'))
  expectAnswer('getUserByEmail', 200, await owner.call('GET', `/users/${reader.email}`))
  expectAnswer('getStreams', 200, await owner.call('GET', '/streams'))
  expectAnswer('getUserGroups', 200, await owner.call('GET', '/user_groups'))
  expectAnswer('getServerSettings', 200, await owner.call('GET', '/server_settings'))
  expectAnswer('registerQueue', 200, await owner.call('POST', '/register'))
  expectAnswer('sendMessage', 400, (await owner.try('POST', '/messages', { type: 'direct' })).body)
  expectAnswer('getUser', 400, (await owner.try('GET', '/users/999999')).body)

  const events = await queue.events()
  expect(events.length).toBeGreaterThan(2)
  for (const event of events) {
    const name = ['event', event['type'], ...(event['op'] === undefined ? [] : [event['op']])].join('.')
    expectToFit(`/components/schemas/${name}`, event)
  }
})

it('uses the configured API names in the OpenAPI document', () => {
  const text = JSON.stringify(describeApi(capabilities, 'zulip'))
  expect(text).toContain('"zulip_feature_level"')
  expect(text).toContain('"client_gravatar"')
  expect(text).not.toMatch(/"(service_feature_level|client_external_avatar)"/)
})
