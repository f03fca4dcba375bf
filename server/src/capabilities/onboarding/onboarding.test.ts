import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Answer, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { ONBOARDING_STEPS } from './contract.ts'

const server = useTestServer()

async function stepsOf(user: TestUser): Promise<unknown> {
  return (await user.register({ fetch_event_types: ['onboarding_steps'] })).state['onboarding_steps']
}

function markStepAsRead(user: TestUser, onboarding_step: string): Promise<Answer> {
  return user.try('POST', '/users/me/onboarding_steps', { onboarding_step })
}

it("records that a person completed an onboarding step, and notifies only that person's clients", async () => {
  const { owner, user } = await server().organization()
  const [ann, bot] = [await user('Ann', { role: 600 }), await user('Bot', { bot: {} })]
  const look = await watch({ ann, owner, bot })
  expect((await ann.register()).state).toMatchObject({
    onboarding_steps: ONBOARDING_STEPS,
    navigation_tour_video_url: null,
  })
  expect((await markStepAsRead(ann, 'intro_inbox_view_modal')).status).toBe(200)
  const left = ONBOARDING_STEPS.filter(({ name }) => name !== 'intro_inbox_view_modal')
  // Repeating a step sends no event.
  expect((await markStepAsRead(ann, 'intro_inbox_view_modal')).status).toBe(200)
  expect(await stepsOf(ann)).toEqual(left)
  expect(await stepsOf(owner)).toEqual(ONBOARDING_STEPS)
  expect(await look()).toEqual({ ann: [{ type: 'onboarding_steps', onboarding_steps: left }], owner: [], bot: [] })
  for (const { name } of left) expect((await markStepAsRead(ann, name)).status).toBe(200)
  expect(await stepsOf(ann)).toEqual([])
  expect((await look()).ann.at(-1)).toEqual({ type: 'onboarding_steps', onboarding_steps: [] })
})

it('rejects unknown onboarding steps', async () => {
  const { owner } = await server().organization()
  const look = await watch({ owner })
  for (const onboarding_step of ['', 'nothing', 'INTRO_INBOX_VIEW_MODAL', '__proto__', 'x'.repeat(10_000)]) {
    const { status, body } = await markStepAsRead(owner, onboarding_step)
    expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', 'Unknown onboarding step'])
  }
  const { body } = await owner.try('POST', '/users/me/onboarding_steps')
  expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'onboarding_step' })
  expect(await look()).toEqual({ owner: [] })
  expect(await stepsOf(owner)).toEqual(ONBOARDING_STEPS)
})
