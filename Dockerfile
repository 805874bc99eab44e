# syntax=docker/dockerfile:1.10.0
# docker build -t tidings . && docker run -p 8080:8080 -v tidings-data:/data -v ./config:/config:ro tidings

FROM node:22.21.1-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/bundle.mjs scripts/notices.mjs scripts/shown-types.mjs ./scripts/
COPY src ./src
RUN npm run build

FROM node:22.21.1-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json ./
# The driver of PostgreSQL is optional in the package; in a container it cannot be added later.
RUN npm ci --omit=dev && npm install --no-save --ignore-scripts pg@8.23.1 && npm cache clean --force
COPY --from=build /app/dist ./dist
COPY schema ./schema
COPY LICENSE ./

# Volumes get the owner of the folder that they are mounted over, so both are made here.
RUN groupadd --gid 10001 tidings \
  && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin tidings \
  && mkdir -m 0700 /data && mkdir -m 0755 /config && chown 10001:10001 /data \
  && chmod 0755 dist/cli/main.js && ln -s /app/dist/cli/main.js /usr/local/bin/tidings
USER 10001:10001

# A variable counts more than the file: whatever the config says, the container listens here and keeps its data there.
ENV TIDINGS_HOST=0.0.0.0 TIDINGS_PORT=8080 TIDINGS_DATA=/data
# The token belongs into TIDINGS_TOKEN_FILE (a secret of the engine), never into the image.
EXPOSE 8080
VOLUME ["/data", "/config"]

# Verbs read tidings.config.json of the folder that they run in, where there is one: without it, the hub starts empty.
WORKDIR /config
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.TIDINGS_PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tidings"]
CMD ["serve"]
