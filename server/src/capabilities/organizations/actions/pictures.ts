import { everyone } from '../../../kernel/audience.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { turnOwner } from '../../../kernel/pauses.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { PreparationCall } from '../../../platform/request.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { writeFiles, type FileChange, type StoredFiles } from '../../../platform/files/pending.ts'
import { makePictureWithin, makeSquarePicture } from '../../../platform/pictures/pictures.ts'
import { randomName } from '../../../platform/files/store.ts'
import { changeOrganization } from './index.ts'
import { realmSettingsUpdated } from '../contract/index.ts'
import { organizationOf, organizationPicture, pictureSettings, type PictureKind } from '../queries/index.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import type * as contract from '../contract/organization.ts'
import { pictureKey } from '../queries/pictures.ts'

const ICON_SIDE_PIXELS = 200
const LOGO_PIXELS = { width: 800, height: 100 }

export async function resizeOrganizationPicture(kind: PictureKind, path: string, who?: string): Promise<Buffer> {
  return kind === 'icon'
    ? makeSquarePicture(path, ICON_SIDE_PIXELS, who)
    : makePictureWithin(path, LOGO_PIXELS.width, LOGO_PIXELS.height, who)
}

interface StoredPicture extends StoredFiles {
  readonly name: string
}

type PictureChange<Answer> = Promise<FileChange<Answer>>

export async function storeIcon(call: PreparationCall): Promise<StoredPicture> {
  return storePicture(call, 'icon')
}

export async function uploadIcon(
  tx: ActorTx,
  _input: Input<typeof contract.uploadIcon>,
  { name }: StoredPicture,
  server: ServerFacts,
): PictureChange<Output<typeof contract.uploadIcon>> {
  const { url, unused } = await changePicture(tx, server, 'icon', name)
  return { answer: { icon_url: url }, unused }
}

export async function removeIcon(
  tx: ActorTx,
  _input: Input<typeof contract.removeIcon>,
  server: ServerFacts,
): PictureChange<Output<typeof contract.removeIcon>> {
  const { url, unused } = await changePicture(tx, server, 'icon', undefined)
  return { answer: { icon_url: url }, unused }
}

export async function storeLogo(
  call: PreparationCall,
  { night }: Input<typeof contract.uploadLogo>,
): Promise<StoredPicture> {
  return storePicture(call, logoKind(night))
}

export async function uploadLogo(
  tx: ActorTx,
  { night }: Input<typeof contract.uploadLogo>,
  { name }: StoredPicture,
  server: ServerFacts,
): PictureChange<Output<typeof contract.uploadLogo>> {
  const { url, unused } = await changePicture(tx, server, logoKind(night), name)
  return { answer: { logo_url: url }, unused }
}

export async function removeLogo(
  tx: ActorTx,
  { night }: Input<typeof contract.removeLogo>,
  server: ServerFacts,
): PictureChange<Output<typeof contract.removeLogo>> {
  const { url, unused } = await changePicture(tx, server, logoKind(night), undefined)
  return { answer: { logo_url: url }, unused }
}

function logoKind(night: boolean): PictureKind {
  return night ? 'night_logo' : 'logo'
}

async function storePicture(call: PreparationCall, kind: PictureKind): Promise<StoredPicture> {
  requireMayChangePicture(call.actor)
  if (call.file === undefined) throw new ApiError('BAD_REQUEST', 'You must upload exactly one picture.')
  const { id } = call.log.organization
  const picture = await resizeOrganizationPicture(kind, call.file.path, turnOwner(id, call.actor.userId))
  const name = randomName()
  const key = pictureKey(id, name)
  await writeFiles(call, [[key, picture]])
  return { name, keys: [key] }
}

/** Sets the picture, or the server's default if `name` is undefined. Returns its URL, and keys of replaced files. */
async function changePicture(
  tx: ActorTx,
  server: ServerFacts,
  kind: PictureKind,
  name: string | undefined,
): Promise<{ url: string; unused: string[] }> {
  requireMayChangePicture(tx.actor)
  const before = organizationOf(tx.organization)
  const url = server.urlOf(tx.organization)
  const { [kind]: old, ...others } = before.pictures
  if (old === name) return { url: url + organizationPicture(before, kind).path, unused: [] }
  const pictures = name === undefined ? others : { ...others, [kind]: name }
  await changeOrganization(tx, { pictures })
  tx.emit(realmSettingsUpdated, { property: kind, data: pictureSettings({ pictures }, kind, url) }, everyone)
  return {
    url: url + organizationPicture({ ...before, pictures }, kind).path,
    unused: old === undefined ? [] : [pictureKey(tx.organizationId, old)],
  }
}

function requireMayChangePicture(actor: Actor): void {
  if (!isAdministrator(actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
}
