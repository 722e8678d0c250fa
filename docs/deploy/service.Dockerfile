# adsctl auto run in a container, as an unprivileged user on a read-only file system.
#
#   npx -y deno@2.9.6 run -A -q scripts/pack_npm.ts        # or the tarball of a release
#   docker build -t platform-ads -f docs/deploy/service.Dockerfile dist
#
#   docker run --name ads --detach --publish 127.0.0.1:9465:9465 \
#     --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --memory 2g --pids-limit 256 \
#     --env-file service.env --volume ./service.yaml:/etc/platform-ads/service.yaml:ro \
#     --volume ads:/var/lib/platform-ads platform-ads

FROM node:24-bookworm-slim AS installed
WORKDIR /opt/platform-ads
COPY platform-ads-*.tgz /tmp/
# pg, pg-copy-streams and graphile-worker are for a store in PostgreSQL and its queue, aws4fetch for the hourly stream,
# nodemailer for alerts by e-mail.
RUN npm init --yes > /dev/null \
 && npm install --ignore-scripts --no-audit --no-fund /tmp/platform-ads-*.tgz \
    pg@8.23.1 pg-copy-streams@7.0.0 graphile-worker@0.18.0 aws4fetch@1.0.20 nodemailer@10.6.1

FROM node:24-bookworm-slim
COPY --from=installed /opt/platform-ads /opt/platform-ads
# The only folder that it writes to: the store, plans, results.
RUN install --directory --owner=node --group=node --mode=700 /var/lib/platform-ads
VOLUME /var/lib/platform-ads
ENV NODE_ENV=production \
    HOME=/var/lib/platform-ads
WORKDIR /var/lib/platform-ads
USER 1000:1000
EXPOSE 9465
# 503 while a timer is late or failed: it says so to monitoring, and is no reason to restart.
HEALTHCHECK --interval=60s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9465/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/opt/platform-ads/node_modules/@platform/ads/bin/adsctl.js"]
CMD ["auto", "run", "/etc/platform-ads/service.yaml", "--json", "--listen", "0.0.0.0:9465"]
