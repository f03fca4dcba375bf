import type { Samples } from '../../../testing/capability-samples.ts'
import { samplesFor } from '../../../testing/samples.ts'
import type { TestOrganization, TestServer } from '../../../testing/server.ts'
import { TestUser } from '../../../testing/user.ts'

export interface AdministratorsBot extends TestOrganization {
  readonly admin: TestUser
  readonly bot: TestUser
  readonly samples: Samples
}

export async function administratorsBot(server: TestServer): Promise<AdministratorsBot> {
  const organization = await server.organization()
  const { owner, user } = organization
  const samples = await samplesFor(organization)
  const admin = await user('Ada Admin', { role: 200 })
  const made = await admin.call('POST', '/bots', { full_name: 'Ada Bot', short_name: 'ada' })
  await owner.call('PATCH', `/bots/${String(made['user_id'])}`, { role: 200 })
  const email = `ada-bot@${organization.host}`
  const bot = new TestUser(admin.url, admin.host, email, made['api_key'], made['user_id'])
  return { ...organization, admin, bot, samples }
}
