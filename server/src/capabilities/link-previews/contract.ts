import type { Limit } from '../../kernel/limits.ts'

export const WAITING_PREVIEW_LIMIT: Limit = {
  most: 500,
  per: 'organization',
  what: 'links that wait until the server looks where they lead; further ones get no preview',
}

export const PREVIEW_LIMIT: Limit = {
  most: 20_000,
  per: 'organization',
  what: 'previews of links that are kept; those that were fetched longest ago leave their messages',
}
