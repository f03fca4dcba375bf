import { ApiError } from '../../../kernel/refusal.ts'
import type { FileCall, FoundFile } from '../../../platform/files/serve.ts'
import { organizationOf, organizationPicture, type PictureKind } from './index.ts'

export function pictureKey(organizationId: number, name: string): string {
  return `organizations/${organizationId}/${name}.png`
}

export async function currentIcon(call: FileCall): Promise<FoundFile> {
  return redirectToPicture(call, 'icon')
}

export async function currentLogo(call: FileCall): Promise<FoundFile> {
  return redirectToPicture(call, requestedLogo(call))
}

async function redirectToPicture({ log }: FileCall, kind: PictureKind): Promise<FoundFile> {
  return Promise.resolve({ elsewhere: organizationPicture(organizationOf(log.organization), kind).path })
}

function requestedLogo({ query }: FileCall): PictureKind {
  const night = query.get('night')
  if (night === null) {
    throw new ApiError('REQUEST_VARIABLE_MISSING', "Missing 'night' argument", { var_name: 'night' })
  }
  if (night !== 'true' && night !== 'false') {
    throw new ApiError('REQUEST_VARIABLE_INVALID', "Argument 'night' has the wrong type")
  }
  return night === 'true' ? 'night_logo' : 'logo'
}

export async function uploadedPicture({ log, parameters }: FileCall): Promise<FoundFile> {
  const file = parameters['file'] ?? ''
  const key = pictureKey(log.organization.id, file)
  return Promise.resolve({ key, type: 'image/png', name: `${file}.png`, inline: true, keep: 'always' })
}
