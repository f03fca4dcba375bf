import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { boolean, nothing, string } from '../../../kernel/schemas.ts'

const iconUrl = z.object({ icon_url: string })
const logoUrlResponse = z.object({ logo_url: string })

const logo = z.object({ night: boolean })

export const uploadIcon = endpoint({
  id: 'uploadIcon',
  method: 'POST',
  path: '/realm/icon',
  summary: "Upload the organization's icon. Cropped to a square.",
  since: 0,
  file: 'picture',
  input: nothing,
  output: iconUrl,
  errors: ['BAD_REQUEST', 'BAD_IMAGE'],
})

export const removeIcon = endpoint({
  id: 'removeIcon',
  method: 'DELETE',
  path: '/realm/icon',
  summary: "Reset the organization's icon.",
  since: 0,
  input: nothing,
  output: iconUrl,
  errors: ['BAD_REQUEST'],
})

export const uploadLogo = endpoint({
  id: 'uploadLogo',
  method: 'POST',
  path: '/realm/logo',
  summary: "Upload the organization's logo.",
  since: 0,
  file: 'picture',
  input: logo,
  output: logoUrlResponse,
  errors: ['BAD_REQUEST', 'BAD_IMAGE'],
})

export const removeLogo = endpoint({
  id: 'removeLogo',
  method: 'DELETE',
  path: '/realm/logo',
  summary: "Reset the organization's logo.",
  since: 0,
  input: logo,
  output: logoUrlResponse,
  errors: ['BAD_REQUEST'],
})
