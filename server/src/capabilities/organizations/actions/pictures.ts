import { everyone } from '../../../kernel/audience.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Call } from '../../../platform/request.ts'
import { actWithFiles, removeFiles, writeFiles } from '../../../platform/files/pending.ts'
import { pictureWithin, squarePicture } from '../../../platform/pictures/pictures.ts'
import { randomName } from '../../../platform/files/store.ts'
import { changeOrganization } from './index.ts'
import { realmSettingsUpdated } from '../contract/index.ts'
import { organizationOf, pictureOf, pictureSettings, type PictureKind } from '../queries/index.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import type * as contract from '../contract/pictures.ts'
import { pictureKey } from '../queries/pictures.ts'

const ICON_SIDE = 200
const LOGO = { width: 800, height: 100 }

export async function organizationPicture(kind: PictureKind, path: string): Promise<Buffer> {
  return kind === 'icon' ? squarePicture(path, ICON_SIDE) : pictureWithin(path, LOGO.width, LOGO.height)
}

export async function uploadIcon(call: Call): Promise<Output<typeof contract.uploadIcon>> {
  return { icon_url: await upload(call, 'icon') }
}

export async function removeIcon(call: Call): Promise<Output<typeof contract.removeIcon>> {
  return { icon_url: await change(call, 'icon', undefined) }
}

export async function uploadLogo(
  call: Call,
  { night }: Input<typeof contract.uploadLogo>,
): Promise<Output<typeof contract.uploadLogo>> {
  return { logo_url: await upload(call, logoKind(night)) }
}

export async function removeLogo(
  call: Call,
  { night }: Input<typeof contract.removeLogo>,
): Promise<Output<typeof contract.removeLogo>> {
  return { logo_url: await change(call, logoKind(night), undefined) }
}

function logoKind(night: boolean): PictureKind {
  return night ? 'night_logo' : 'logo'
}

async function upload(call: Call, kind: PictureKind): Promise<string> {
  requireMayChange(call.actor)
  if (call.file === undefined) throw new Refusal('BAD_REQUEST', 'You must upload exactly one picture.')
  const picture = await organizationPicture(kind, call.file.path)
  const name = randomName()
  await writeFiles(call, [[pictureKey(call.log.organization.id, name), picture]])
  return change(call, kind, name)
}

/** @param name undefined for the server's default @returns the picture's URL */
async function change(call: Call, kind: PictureKind, name: string | undefined): Promise<string> {
  const { id: organizationId } = call.log.organization
  const url = call.server.urlOf(call.log.organization)
  const keysOf = (file: string | undefined): string[] => (file === undefined ? [] : [pictureKey(organizationId, file)])
  const before = await actWithFiles(call, keysOf(name), async (tx) => {
    requireMayChange(tx.actor)
    const { [kind]: old, ...others } = organizationOf(tx.organization).pictures
    if (old === name) return undefined
    const pictures = name === undefined ? others : { ...others, [kind]: name }
    await changeOrganization(tx, { pictures })
    tx.emit(realmSettingsUpdated, { property: kind, data: pictureSettings({ pictures }, kind, url) }, everyone)
    return old
  })
  await removeFiles(call, keysOf(before))
  return url + pictureOf(organizationOf(call.log.organization), kind).path
}

function requireMayChange(actor: Actor): void {
  if (!isAdministrator(actor)) throw new Refusal('BAD_REQUEST', 'Must be an organization administrator')
}
