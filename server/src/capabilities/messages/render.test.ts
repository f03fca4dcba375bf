import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'

const server = useTestServer()

async function renderAs(user: TestUser, content: string): Promise<unknown> {
  return (await user.call('POST', '/messages/render', { content }))['rendered']
}

it('renders a message as if it were sent, without sending it', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['general'], { principals: [owner.id, ann.id] })
  await owner.call('POST', '/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://x.example/{id}' })
  const queue = await owner.register({ event_types: ['message'] })
  const content = '**Hello** @**Ann** #12 :tada: #**general>hello**\n\n```js\n1\n```\n'
  const html = await renderAs(ann, content)
  expect(await queue.events()).toEqual([])
  const id = await ann.send('general', 'hello', content)
  const { message } = await ann.call('GET', `/messages/${id}`)
  expect(html).toBe(message['content'])
  expect(await renderAs(ann, '')).toBe('')
})

it('renders a link to a hidden channel like a link to a missing channel', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['secret'], { invite_only: true })
  const [hidden, absent] = [await renderAs(ann, '#**secret>plans**'), await renderAs(ann, '#**absent>plans**')]
  expect(hidden).toBe(String(absent).replace('absent', 'secret'))
  expect(await renderAs(owner, '#**secret>plans**')).toContain('<a ')
})

it('refuses to render content that is longer than a message can be', async () => {
  const { owner } = await server().organization()
  expect(await renderAs(owner, '😀'.repeat(10_000))).toBe(`<p>${'😀'.repeat(10_000)}</p>`)
  const { status, body } = await owner.try('POST', '/messages/render', { content: 'x'.repeat(10_001) })
  expect([status, body['code']]).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
  expect((await owner.try('POST', '/messages/render')).body['code']).toBe('REQUEST_VARIABLE_MISSING')
})

it('renders a message with the settings of the organization and the author', async () => {
  const { owner } = await server().organization()
  const renderContent = async (content: string): Promise<string> =>
    (await owner.call('POST', '/messages/render', { content }))['rendered']
  const code = '```\nlet x = 1\n```'
  expect(await renderContent(code)).not.toContain('data-code-language')
  await owner.call('PATCH', '/realm', { default_code_block_language: 'javascript' })
  expect(await renderContent(code)).toContain('data-code-language="JavaScript"')

  expect(await renderContent(':)')).toBe('<p>:)</p>')
  await owner.call('PATCH', '/settings', { translate_emoticons: true })
  expect(await renderContent(':)')).toContain('emoji')

  const picture = '[photo.png](/user_uploads/1/ab/photo.png)'
  expect(await renderContent(picture)).toContain('<img')
  await owner.call('PATCH', '/realm', { inline_image_preview: false })
  expect(await renderContent(picture)).toContain('href="/user_uploads/1/ab/photo.png"')
  expect(await renderContent(picture)).not.toContain('<img')
})
