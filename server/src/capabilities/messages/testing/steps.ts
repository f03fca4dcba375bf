import { at, CHANNELS, sentIn, TOPICS } from '../../../testing/look-up.ts'
import type { CapabilitySteps, Scene } from '../../../testing/steps.ts'
import type { TestUser } from '../../../testing/user.ts'

const CONTENTS = [
  '**hello**',
  '@**Mia Member** psst',
  '@**all**',
  '@**topic** word 1',
  '@_**all** Word 2',
  '> @**all**',
]

export const steps: CapabilitySteps = {
  messageSteps: {
    send: async ({ scene, actor, what, more, rest }) => {
      const content = at(CONTENTS, rest)
      await send(scene, actor, { type: 'stream', to: at(CHANNELS, what), topic: at(TOPICS, more), content })
    },
    'send direct': async ({ scene, actor, other, what, more }) => {
      const to = [...new Set([other.id, at(scene.people, what).id])]
      const content = at(CONTENTS, what)
      await send(scene, actor, { type: 'direct', to, content, read_by_sender: more % 2 === 0 })
    },
    'send poll': async ({ scene, actor, what, more }) => {
      const widget_content = JSON.stringify({ widget_type: 'poll', extra_data: { question: 'Lunch?' } })
      const topic = at(TOPICS, more)
      await send(scene, actor, { type: 'stream', to: at(CHANNELS, what), topic, content: 'Lunch?', widget_content })
    },
    vote: async ({ scene, actor, what, more }) =>
      actor.try('POST', '/submessage', {
        message_id: sentIn(scene, what),
        msg_type: 'widget',
        content: JSON.stringify({ type: 'vote', key: more % 3, vote: 1 }),
      }),
  },
}

async function send(scene: Scene, actor: TestUser, parameters: Readonly<Record<string, unknown>>): Promise<void> {
  const { body } = await actor.try('POST', '/messages', parameters)
  if (typeof body['id'] === 'number') scene.sent.push(body['id'])
}
