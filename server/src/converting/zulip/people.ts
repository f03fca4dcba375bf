import { ROLE, type Role } from '../../kernel/actor.ts'
import type { Conversion } from '../convert.ts'
import type { ExportFile } from '../export-file.ts'
import type { ExportFiles } from '../export-files.ts'
import type { Account, NewAccount } from '../new-account.ts'
import { readPictureList } from './files.ts'
import { personalSettings } from './setting-values.ts'
import { zulipUser, type ZulipRealm, type ZulipTables, type ZulipUser, readRows, toUnixSeconds } from './records.ts'

const ROLES: readonly Role[] = Object.values(ROLE)

/** Returns accounts by ID in the export. */
export async function readPeople(
  tables: ZulipTables,
  source: ExportFiles,
  conversion: Conversion,
): Promise<Map<number, Account>> {
  const { organization, leftOut, signal } = conversion
  const accounts = new Map<number, Account>()
  const avatars = new Map<number, ExportFile[]>()
  for (const { file, userId } of await readPictureList('avatars', source, conversion)) {
    // The original comes first; the other images are used if the original cannot be read.
    const others = avatars.get(userId ?? 0) ?? []
    if (userId !== undefined)
      avatars.set(userId, file.path.endsWith('.original') ? [file, ...others] : [...others, file])
  }
  const own = readRows('zerver_userprofile', tables.zerver_userprofile, zulipUser, leftOut)
  const others = [
    ...readRows('zerver_userprofile_mirrordummy', tables.zerver_userprofile_mirrordummy, zulipUser, leftOut),
    ...readRows('zerver_userprofile_crossrealm', tables.zerver_userprofile_crossrealm, zulipUser, leftOut).map(
      describeSystemBot,
    ),
  ].map((user) => ({ ...user, is_active: false }))
  for (const user of [...own, ...others]) {
    signal.throwIfAborted()
    if (accounts.has(user.id)) {
      leftOut.add('duplicate people', user.full_name)
      continue
    }
    const pictures = avatars.get(user.id) ?? []
    accounts.set(
      user.id,
      organization.addAccount(await convertAccount(user, pictures, tables.zerver_realm[0], conversion)),
    )
    if (user.is_bot === true && user.is_active === true) {
      leftOut.add('bots: imported as deactivated accounts', user.full_name)
    }
  }
  if (![...accounts.values()].some(({ role, isActive }) => role === ROLE.owner && isActive)) {
    leftOut.add('organization without an owner: choose one with `parley user role`')
  }
  return accounts
}

/** Names a system bot after its address, because exports contain little more about it. */
function describeSystemBot(user: ZulipUser): ZulipUser {
  const words = (user.email ?? '').replace(/@.*/, '').split(/[-_.]+/)
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ')
  return { ...user, is_bot: true, full_name: user.full_name ?? name }
}

async function convertAccount(
  user: ZulipUser,
  pictures: readonly ExportFile[],
  realm: ZulipRealm | undefined,
  conversion: Conversion,
): Promise<NewAccount> {
  const { id, email, delivery_email: delivery, full_name: name, role, is_active: isActive, date_joined: joined } = user
  const isBot = user.is_bot === true
  return {
    there: String(id),
    email: delivery === undefined || delivery === '' ? email : delivery,
    fullName: name ?? '',
    role: (isBot ? undefined : ROLES.find((one) => one === role)) ?? ROLE.member,
    isActive: isActive === true && !isBot,
    isBot,
    timezone: user.timezone ?? '',
    joinedAt: toUnixSeconds(joined),
    avatar: await conversion.files.avatar(...pictures),
    settings: isBot ? {} : personalSettings(user, realm, conversion),
  }
}
