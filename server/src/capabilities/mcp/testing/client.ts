import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, expect } from 'vitest'
import * as z from 'zod/mini'
import { basic, type Body, type TestUser } from '../../../testing/user.ts'

export function useToolClients(): (user: TestUser) => Promise<Client> {
  const clients = new Set<Client>()
  afterEach(async () => {
    for (const client of clients) await client.close()
    clients.clear()
  })
  return async ({ url, email, apiKey }) => {
    const client = new Client({ name: 'test', version: '1' })
    clients.add(client)
    const requestInit = { headers: { authorization: basic(email, apiKey) } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
    return client
  }
}

export async function callTool(client: Client, name: string, given: Body = {}): Promise<unknown> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: given })
  const [{ text }] = z.tuple([z.object({ text: z.string() })]).parse(content)
  if (isError === true) return text
  expect(JSON.parse(text)).toEqual(structuredContent)
  return structuredContent
}
