import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Answer, Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

function runCommand(user: TestUser, command: string): Promise<Answer> {
  return user.try('POST', '/zcommand', { command })
}

async function settingsOf(user: TestUser): Promise<Body> {
  const { state } = await user.register({ fetch_event_types: ['user_settings'] })
  return state['user_settings'] // safe: declared by the contract
}

it("applies slash commands for color scheme and width, and notifies only the sender's clients", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann', { role: 600 })
  const look = await watch({ ann, owner })
  for (const [command, property, value] of [
    ['/night', 'color_scheme', 2],
    ['/day', 'color_scheme', 3],
    ['/dark', 'color_scheme', 2],
    ['/light', 'color_scheme', 3],
    ['/fluid-width', 'fluid_layout_width', true],
    ['/fixed-width', 'fluid_layout_width', false],
  ] as const) {
    expect((await runCommand(ann, command)).body).toEqual({ result: 'success', msg: '' })
    expect(await look()).toEqual({ ann: [{ type: 'user_settings', op: 'update', property, value }], owner: [] })
    expect(await settingsOf(ann)).toMatchObject({ [property]: value })
    // A command that changes nothing sends no events.
    expect((await runCommand(ann, command)).status).toBe(200)
    expect(await look()).toEqual({ ann: [], owner: [] })
  }
  expect(await settingsOf(owner)).toMatchObject({ color_scheme: 1, fluid_layout_width: false })
})

it('answers the ping command and changes nothing', async () => {
  const { owner } = await server().organization()
  const look = await watch({ owner })
  expect((await runCommand(owner, '/ping')).body).toEqual({ result: 'success', msg: '' })
  expect(await look()).toEqual({ owner: [] })
})

it('rejects unknown slash commands', async () => {
  const { owner } = await server().organization()
  const look = await watch({ owner })
  for (const [command, message] of [
    ['/nothing', 'No such command'],
    ['/night ', 'No such command'],
    ['/__proto__', 'No such command'],
    ['night', 'A command begins with a slash.'],
    ['', 'A command begins with a slash.'],
  ] as const) {
    const { status, body } = await runCommand(owner, command)
    expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', message])
  }
  expect((await owner.try('POST', '/zcommand')).body).toMatchObject({
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'command',
  })
  expect(await look()).toEqual({ owner: [] })
})
