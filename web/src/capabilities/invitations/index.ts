import type { Capability } from '../../kernel/capability.ts'
import { sync } from '../../platform/client.ts'

/** How people come in: invitations by e-mail, and links that many may use. */
export const invitations: Capability = {
  name: 'invitations',
  settings: async () => (await import('./administration.ts')).sections,
  begin: () => {
    sync.hear((event) => {
      if (event.type === 'registrations') void tell(event['op'] === 'add')
    })
  },
}

async function tell(isMore: boolean): Promise<void> {
  try {
    await (await import('./waiting.ts')).tellOfWaiting(isMore)
  } catch {
    // Without a connection the page of invitations tells later.
  }
}
