import { capability, command, query } from '../../platform/capability.ts'
import { updatePublicPageSettings } from './actions.ts'
import * as contract from './contract.ts'
import {
  channelFeed,
  channelPage,
  channelsPage,
  getPublicNames,
  getPublicPageSettings,
  messageLocation,
  robotsFile,
  sitemapIndex,
  sitemapOfChannel,
  topicFeed,
  topicPage,
} from './queries/index.ts'

const CHANNEL_PATH = '/public/:channel_id(^\\d{1,15}$)'

/** Shows web-public channels to people and crawlers without an account, as pages without scripts. */
export const publicPages = capability({
  name: 'public-pages',
  tables: [],
  reads: ['messages', 'topics'],
  routes: [
    query(contract.getPublicNames, getPublicNames),
    query(contract.getPublicPageSettings, getPublicPageSettings),
    command(contract.updatePublicPageSettings, updatePublicPageSettings),
  ],
  events: [{ event: contract.publicPageSettingsUpdated }],
  pages: [
    { path: '/robots.txt', find: robotsFile },
    { path: '/sitemap.xml', find: sitemapIndex },
    { path: '/public', find: channelsPage },
    { path: CHANNEL_PATH, find: channelPage },
    { path: `${CHANNEL_PATH}/feed`, find: channelFeed },
    { path: `${CHANNEL_PATH}/sitemap`, find: sitemapOfChannel },
    { path: `${CHANNEL_PATH}/topic/:topic`, find: topicPage },
    { path: `${CHANNEL_PATH}/topic/:topic/feed`, find: topicFeed },
    { path: '/public/message/:message_id(^\\d{1,15}$)', find: messageLocation },
  ],
})
