package main

import (
	"context"
	"errors"
	"net/url"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/server/v3/embed"
)

// startEtcd runs etcd on free loopback ports. It does not sync to disk: no data outlives the process.
func startEtcd(folder string) (*embed.Etcd, error) {
	anyPort := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config := embed.NewConfig()
	config.Dir = folder
	config.ListenClientUrls, config.AdvertiseClientUrls = anyPort, anyPort
	config.ListenPeerUrls, config.AdvertisePeerUrls = anyPort, anyPort
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	config.UnsafeNoFsync = true
	config.LogLevel = "error"
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return nil, err
	}
	select {
	case <-etcd.Server.ReadyNotify():
		return etcd, age(etcd)
	case err := <-etcd.Err():
		etcd.Close()
		return nil, err
	case <-time.After(time.Minute):
		etcd.Close()
		return nil, errors.New("not ready after a minute")
	}
}

// etcdURL is where clients reach it.
func etcdURL(etcd *embed.Etcd) string {
	return "http://" + etcd.Clients[0].Addr().String()
}

// age gives the store a history, as any store has after its API server restarts: watches cannot start from versions
// before the server's caches.
func age(etcd *embed.Etcd) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for range 10 {
		if _, err := etcd.Server.Put(ctx, &pb.PutRequest{Key: []byte("past"), Value: []byte("past")}); err != nil {
			etcd.Close()
			return err
		}
	}
	return nil
}
